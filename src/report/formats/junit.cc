// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as JUnit XML: one <testcase> for each test that was searched.
//  * A dependent test has a <failure> for each of its dependences, whose type is the role. A test
//    that was left out is <skipped>. All others pass, also those that fail in every order: `run
//    --junit` tells of results, this file of dependence.
//  * Class names begin with "dependence.", so that a CI system that reads both files does not take
//    one for the other; with several binaries the binary's name and a slash follow.
//  * Schemas know properties of suites only. Those of a test begin with its full name:
//    "Cart.T3.role", ".dependence", ".witness", ".polluters" or ".state_setters", ".cleaners",
//    ".carrier".
//  * Valid for the schemas of Jenkins.

#include "report/formats/formats.h"

#include <fmt/format.h>

#include <map>

#include "report/detect_report.h"
#include "report/formats/finding.h"
#include "report/xml.h"

namespace gordian {
namespace {

/// What is known of each test of one binary, by its place in the suite.
struct TestNotes {
  std::map<std::uint32_t, std::vector<const Finding*>> dependent;
  std::map<std::uint32_t, const NondeterministicTest*> unsteady;
  std::map<std::uint32_t, std::string> left_out;
  std::map<std::uint32_t, std::chrono::nanoseconds> durations;
};

TestNotes notes_of(const ReportedSuite& suite, const std::vector<Finding>& findings) {
  TestNotes notes;
  for (const Finding& finding : findings) {
    if (finding.suite == &suite) {
      notes.dependent[finding.dependence->test.value()].push_back(&finding);
    }
  }
  for (const NondeterministicTest& found : suite.detect.nondeterministic) {
    notes.unsteady[found.test.value()] = &found;
  }
  for (const LeftOutTest& out : suite.detect.left_out) notes.left_out[out.test.value()] = out.why;
  for (const ReportedRun& run : suite.runs) {
    for (const TestRun& test : run.tests) notes.durations[test.test.value()] = test.duration;
  }
  return notes;
}

void add_test_properties(pugi::xml_node properties, const Finding& finding) {
  const Dependence& dependence = *finding.dependence;
  const Suite& suite = finding.suite->detect.suite;
  auto add = [&](std::string_view what, std::string_view value) {
    xml::add_property(properties, fmt::format("{}.{}", finding.test().full_name(), what), value);
  };
  add("dependence", to_string(dependence.id));
  add("role", role_word(dependence.role));
  add("witness", listed_names(dependence.witness, suite));
  add(dependence.role == Role::brittle ? "state_setters" : "polluters",
      listed_names(dependence.singles, suite));
  add("cleaners", listed_names(dependence.cleaners, suite));
  add("carrier", proved_carriers(finding));
}

void add_failure(pugi::xml_node test_case, const Finding& finding) {
  pugi::xml_node node = test_case.append_child("failure");
  xml::set(node, "message", claim_text(finding));
  xml::set(node, "type", role_word(finding.dependence->role));
  node.text().set(xml::text(carrier_and_evidence(finding)).c_str());
}

/// The children stand in the order that schemas ask for.
void add_test_case(pugi::xml_node suite, const Test& test, std::uint32_t place,
                   const TestNotes& notes, std::string_view class_name) {
  pugi::xml_node node = suite.append_child("testcase");
  xml::set(node, "classname", class_name);
  xml::set(node, "name", test.name);
  if (auto it = notes.durations.find(place); it != notes.durations.end()) {
    xml::set_seconds(node, it->second);
  }
  if (auto it = notes.left_out.find(place); it != notes.left_out.end()) {
    node.append_child("skipped").text().set(xml::text(it->second).c_str());
  }
  if (auto it = notes.dependent.find(place); it != notes.dependent.end()) {
    for (const Finding* finding : it->second) add_failure(node, *finding);
  }
  if (auto it = notes.unsteady.find(place); it != notes.unsteady.end()) {
    node.append_child("system-out").text().set(nondeterminism_text(*it->second).c_str());
  }
}

struct Group {
  std::string name;
  std::vector<std::uint32_t> tests;
};

/// The tests by their suite, suites in the order of their first test.
std::vector<Group> groups_of(const Suite& suite) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> index;
  for (std::uint32_t place = 0; place < suite.size(); ++place) {
    const std::string& name = suite.tests()[place].suite;
    auto [it, is_new] = index.emplace(name, groups.size());
    if (is_new) groups.push_back({name, {}});
    groups[it->second].tests.push_back(place);
  }
  return groups;
}

void add_counts(pugi::xml_node node, const Group& group, const TestNotes& notes) {
  std::size_t failures = 0, skipped = 0;
  for (std::uint32_t place : group.tests) {
    failures += notes.dependent.contains(place) ? 1 : 0;
    skipped += notes.left_out.contains(place) ? 1 : 0;
  }
  xml::set(node, "tests", std::to_string(group.tests.size()));
  xml::set(node, "failures", std::to_string(failures));
  xml::set(node, "errors", "0");
  xml::set(node, "skipped", std::to_string(skipped));
}

void add_properties(pugi::xml_node node, const ReportedSuite& suite, const Group& group,
                    const TestNotes& notes) {
  pugi::xml_node list = node.append_child("properties");
  xml::add_property(list, "binary", binary_text(suite.detect));
  xml::add_property(list, "verdict", verdict_sentence(suite.detect));
  xml::add_property(list, "explored", completeness_sentence(suite.detect));
  for (std::uint32_t place : group.tests) {
    auto it = notes.dependent.find(place);
    if (it == notes.dependent.end()) continue;
    for (const Finding* finding : it->second) add_test_properties(list, *finding);
  }
}

void add_suite(pugi::xml_node root, const ReportedSuite& suite, const TestNotes& notes,
               const std::string& prefix) {
  for (const Group& group : groups_of(suite.detect.suite)) {
    // Without suites the binary stands in: a name is asked for.
    std::string name = "dependence." + prefix;
    name += group.name.empty() ? binary_name(suite) : group.name;
    pugi::xml_node node = root.append_child("testsuite");
    xml::set(node, "name", name);
    add_counts(node, group, notes);
    xml::set(node, "timestamp", xml::timestamp(suite.ended_unix_ms));
    add_properties(node, suite, group, notes);
    for (std::uint32_t place : group.tests) {
      add_test_case(node, suite.detect.suite.tests()[place], place, notes, name);
    }
  }
}

}  // namespace

std::string report_to_junit(const ReportFacts& facts) {
  pugi::xml_document document;
  pugi::xml_node root = xml::begin(document, "testsuites");
  xml::set(root, "name", "gordian");
  const std::vector<Finding> findings = findings_of(facts);
  for (const ReportedSuite& suite : facts.suites) {
    const bool several = facts.suites.size() > 1;
    add_suite(root, suite, notes_of(suite, findings), several ? binary_name(suite) + "/" : "");
  }
  return xml::print(document);
}

}  // namespace gordian
