// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/run_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <vector>

#include "report/outcome_text.h"
#include "report/text.h"
#include "report/xml.h"

namespace gordian {
namespace {

using xml::add_property;
using xml::set;
using xml::set_seconds;

struct Tally {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  std::chrono::nanoseconds time{0};

  void add(const TestRun& run) {
    ++tests;
    time += run.duration;
    if (run.outcome.kind == OutcomeKind::fail) {
      ++failures;
    } else if (is_failure(run.outcome.kind)) {
      ++errors;
    } else if (run.outcome.kind != OutcomeKind::pass) {
      ++skipped;
    }
  }
  void write_to(pugi::xml_node node) const {
    set(node, "tests", std::to_string(tests));
    set(node, "failures", std::to_string(failures));
    set(node, "errors", std::to_string(errors));
    set(node, "skipped", std::to_string(skipped));
    set_seconds(node, time);
  }
};

/// Test cases are grouped by suite; this is the order in which they ran, one name a line.
std::string order_lines(const RunFacts& facts, std::size_t repeat) {
  std::string lines;
  for (TestId id : facts.orders[repeat].order) lines += facts.suite.test(id).full_name() + "\n";
  return lines;
}

void add_properties(pugi::xml_node suite, const RunFacts& facts, std::size_t repeat) {
  const RunHeader& header = facts.header;
  pugi::xml_node list = suite.append_child("properties");
  if (facts.id) add_property(list, "run", to_string(*facts.id));
  add_property(list, "binary", header.binary.path);
  add_property(list, "order", header.order_spec);
  add_property(list, "gordian.order", order_lines(facts, repeat));
  if (header.seed) add_property(list, "seed", std::to_string(*header.seed));
  add_property(list, "isolation", to_string(header.used));
  add_property(list, "control", to_string(header.control));
  add_property(list, "end", to_string(facts.end));
  if (facts.orders.size() > 1) add_property(list, "repeat", std::to_string(repeat + 1));
}

std::string stack_lines(const TestRun& run) {
  std::string text;
  for (const StackFrame& frame : run.stack) {
    std::string where =
        frame.file.empty() ? frame.module : fmt::format("{}:{}", frame.file, frame.line);
    text += fmt::format("{:#x} {} {}\n", frame.address, frame.function, where);
  }
  return text;
}

/// <failure> or <error>: the headline as attribute, everything known as text.
void add_failure(pugi::xml_node test_case, const TestRun& run, const Test& test) {
  bool check_failed = run.outcome.kind == OutcomeKind::fail;
  pugi::xml_node node = test_case.append_child(check_failed ? "failure" : "error");
  set(node, "message", failure_headline(run, test));
  set(node, "type", to_string(run.outcome.kind));
  std::string text;
  for (const std::string& part :
       {location_text(run.outcome.file, run.outcome.line), ending_text(run.outcome),
        run.outcome.message, stack_lines(run), leaks_text(run.leaks)}) {
    if (part.empty()) continue;
    text += part;
    if (part.back() != '\n') text += '\n';
  }
  node.text().set(xml::text(text).c_str());
}

void add_skipped(pugi::xml_node test_case, const Outcome& outcome) {
  pugi::xml_node node = test_case.append_child("skipped");
  std::string_view reason = first_line(outcome.message);
  if (outcome.kind == OutcomeKind::not_run && reason.empty()) {
    reason = "not run: the process or the run ended before its turn";
  }
  if (!reason.empty()) set(node, "message", reason);
}

void add_test_case(pugi::xml_node suite, const TestRun& run, const Test& test,
                   std::string_view class_name) {
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "classname", class_name);
  set(node, "name", test.name);
  set_seconds(node, run.duration);
  if (!test.file.empty()) set(node, "file", test.file);
  if (test.line > 0) set(node, "line", std::to_string(test.line));
  if (is_failure(run.outcome.kind)) {
    add_failure(node, run, test);
  } else if (run.outcome.kind != OutcomeKind::pass) {
    add_skipped(node, run.outcome);
  }
  if (!run.output.empty()) {
    node.append_child("system-out").text().set(xml::text(run.output).c_str());
  }
}

struct SuiteRuns {
  std::string suite;
  std::vector<const TestRun*> runs;
};

/// The runs of one order by suite, suites in the order of their first test.
std::vector<SuiteRuns> group_by_suite(const OrderRun& order, const Suite& suite) {
  std::vector<SuiteRuns> groups;
  std::map<std::string, std::size_t> index;
  for (const TestRun& run : order.runs) {
    const std::string& name = suite.test(run.test).suite;
    auto [it, is_new] = index.emplace(name, groups.size());
    if (is_new) groups.push_back({name, {}});
    groups[it->second].runs.push_back(&run);
  }
  return groups;
}

Tally add_order(pugi::xml_node root, const RunFacts& facts, std::size_t repeat,
                const std::string& prefix) {
  Tally total;
  for (const SuiteRuns& group : group_by_suite(facts.orders[repeat], facts.suite)) {
    std::string name = prefix + group.suite;
    if (repeat > 0) name += fmt::format(" (repeat {})", repeat + 1);
    pugi::xml_node node = root.append_child("testsuite");
    set(node, "name", name);
    Tally tally;
    for (const TestRun* run : group.runs) {
      tally.add(*run);
      total.add(*run);
    }
    tally.write_to(node);
    set(node, "timestamp", xml::timestamp(facts.header.started_unix_ms));
    add_properties(node, facts, repeat);
    for (const TestRun* run : group.runs) {
      add_test_case(node, *run, facts.suite.test(run->test), name);
    }
  }
  return total;
}

void append(Tally& sum, const Tally& more) {
  sum.tests += more.tests;
  sum.failures += more.failures;
  sum.errors += more.errors;
  sum.skipped += more.skipped;
  sum.time += more.time;
}

}  // namespace

std::string junit_xml(std::span<const RunFacts> runs) {
  pugi::xml_document document;
  pugi::xml_node root = xml::begin(document, "testsuites");
  root.append_attribute("name").set_value("gordian");
  Tally total;
  for (const RunFacts& facts : runs) {
    bool several = runs.size() > 1;
    std::string binary = std::filesystem::path(facts.header.binary.path).filename().string();
    for (std::size_t repeat = 0; repeat < facts.orders.size(); ++repeat) {
      append(total, add_order(root, facts, repeat, several ? binary + "/" : ""));
    }
  }
  total.write_to(root);
  return xml::print(document);
}

}  // namespace gordian
