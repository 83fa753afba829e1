// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Each format on one report that has everything, and on one whose every text is hostile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "report/formats/formats.h"
#include "report/json.h"
#include "report/text.h"
#include "tests/report/formats/report_samples.h"
#include "tests/report/golden.h"

namespace gordian {
namespace {

using namespace testing_support;
using nlohmann::json;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const SourceRoot kRoot("/src");

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::string_view line : split_lines(text)) lines.emplace_back(line);
  return lines;
}

bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c == 0x7f || (c < 0x20 && c != '\n'); });
}

TEST(Formats, Goldens) {
  const ReportFacts facts = sample_report();
  expect_golden("report.junit.xml", report_to_junit(facts));
  expect_golden("report.sarif", dump_json(report_to_sarif(facts, kRoot)));
  expect_golden("report.github.txt", report_to_github(facts, kRoot));
  expect_golden("report.gitlab.json", dump_json(report_to_gitlab(facts, kRoot)));
  expect_golden("report.md", report_to_markdown(facts, kRoot));
  expect_golden("report.tap", report_to_tap(facts));
  expect_golden("report.dot", report_to_dot(facts));
}

TEST(JunitReport, OneCaseForEachTestAndAFailureForEachDependence) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(report_to_junit(sample_report()).c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("name").value(), "dependence.Cart");
  EXPECT_EQ(suite.attribute("tests").as_int(), 8);
  EXPECT_EQ(suite.attribute("failures").as_int(), 4);
  const auto cases = suite.children("testcase");
  EXPECT_EQ(std::distance(cases.begin(), cases.end()), 8);
  const auto role = suite.child("properties").find_child_by_attribute("name", "Cart.T3.role");
  EXPECT_STREQ(role.attribute("value").value(), "victim");
}

TEST(JunitReport, HostileTextStaysWhole) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(report_to_junit(hostile_report()).c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  const std::string name = suite.child("testcase").attribute("name").value();
  EXPECT_THAT(name, HasSubstr("]]>::error::x%0Ay%\n::set-env"));
  EXPECT_THAT(name, Not(HasSubstr("\x1b")));
  EXPECT_GT(name.size(), 10'000U);
}

TEST(SarifReport, StandsAtTheWriteAndShowsTheWay) {
  const json run = report_to_sarif(sample_report(), kRoot).at("runs").at(0);
  const json& victim = run.at("results").at(0);
  const json& place = victim.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "cart.cc");
  EXPECT_EQ(place.at("region").at("startLine"), 3);
  const json& flow = victim.at("codeFlows").at(0).at("threadFlows").at(0).at("locations");
  ASSERT_EQ(flow.size(), 3U);
  EXPECT_EQ(flow.at(0).at("state").at("g_total").at("text"), "50");
  EXPECT_EQ(flow.at(1).at("location").at("physicalLocation").at("region").at("startLine"), 42);
  EXPECT_EQ(run.at("originalUriBaseIds").at("%SRCROOT%").at("uri"), "file:///src/");
}

TEST(SarifReport, AVerifiedPatchIsAFix) {
  const json results = report_to_sarif(sample_report(), kRoot).at("runs").at(0).at("results");
  const json& changes = results.at(0).at("fixes").at(0).at("artifactChanges");
  ASSERT_EQ(changes.size(), 2U);
  const json expected = {{"startLine", 21}, {"startColumn", 1}, {"endLine", 22}, {"endColumn", 1}};
  EXPECT_EQ(changes.at(0).at("replacements").at(1).at("deletedRegion"), expected);
  EXPECT_EQ(changes.at(1).at("artifactLocation").at("uri"), "guards.h");
  EXPECT_FALSE(results.at(1).contains("fixes"));
  ReportFacts partly = sample_report();
  partly.suites[0].detect.dependences[0].repair->attempts[0].verdict = RepairVerdict::partly;
  EXPECT_FALSE(report_to_sarif(partly, kRoot)["runs"][0]["results"][0].contains("fixes"));
}

TEST(SarifReport, FingerprintsSurviveNumbersPathsAndOrder) {
  ReportFacts later = sample_report();
  later.suites[0].detect.binary.path = "/elsewhere/cart_test";
  later.suites[0].detect.target.binary = "/elsewhere/cart_test";
  std::reverse(later.suites[0].detect.dependences.begin(),
               later.suites[0].detect.dependences.end());
  for (Dependence& dependence : later.suites[0].detect.dependences)
    dependence.id = DependenceId{dependence.id.value() + 40};
  auto prints = [](const ReportFacts& facts) {
    std::set<std::string> all;
    const json sarif = report_to_sarif(facts, kRoot);
    for (const json& result : sarif.at("runs").at(0).at("results")) {
      const json& print = result.at("partialFingerprints");
      if (print.contains("gordianDependence/v1")) all.insert(print["gordianDependence/v1"]);
    }
    return all;
  };
  EXPECT_EQ(prints(sample_report()), prints(later));
  EXPECT_EQ(prints(later).size(), 4U);
}

TEST(SarifReport, HostileTextIsNeitherLinkNorPlaceHolder) {
  const std::string text = dump_json(report_to_sarif(hostile_report(), kRoot));
  const json run = json::parse(text).at("runs").at(0);
  const std::string message = run.at("results").at(2).at("message").at("text");
  EXPECT_THAT(message, Not(HasSubstr(" [a](1)")));
  EXPECT_EQ(message.find("{0}"), std::string::npos);
  std::set<std::string> prints;
  for (const json& result : run.at("results")) {
    if (result.at("ruleId") != "gordian/nondeterministic") {
      prints.insert(result.at("partialFingerprints").at("gordianDependence/v1"));
    }
  }
  EXPECT_EQ(prints.size(), 8U) << "also where two binaries have one name";
}

TEST(GithubReport, ErrorsComeFirstAndEachIsOneLine) {
  const auto lines = lines_of(report_to_github(sample_report(), kRoot));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_THAT(lines[0], StartsWith("::error title=Dependent test (victim),file=cart.cc,line=3::"
                                   "Cart.T3 fails after Cart.T1%0A"));
  EXPECT_THAT(lines[3], StartsWith("::warning ")) << "its witness interleaves suites";
  EXPECT_THAT(lines[4], StartsWith("::notice title=Non-deterministic test,"));
}

TEST(GithubReport, HostileTextBeginsNoCommand) {
  const std::string text = report_to_github(hostile_report(), kRoot);
  const auto lines = lines_of(text);
  EXPECT_EQ(lines.size(), 10U);
  EXPECT_FALSE(has_control(text));
  for (const std::string& line : lines) {
    EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::warning ") ||
                line.starts_with("::notice "));
    EXPECT_LT(line.size(), 20'000U);
  }
}

TEST(GithubReport, EscapesAsTheRunnerReads) {
  EXPECT_EQ(github_command("error", {{"title", "a:b,c%\n"}, {"file", ""}}, "x:y,z%\nn"),
            "::error title=a%3Ab%2Cc%25%0A::x:y,z%25%0An\n");
}

TEST(GitlabReport, HasWhatGitlabAsksFor) {
  const json issues = report_to_gitlab(sample_report(), kRoot);
  ASSERT_EQ(issues.size(), 5U);
  EXPECT_EQ(issues[0].at("location").at("path"), "cart.cc");
  EXPECT_EQ(issues[0].at("check_name"), "gordian/victim");
  EXPECT_EQ(issues[0].at("severity"), "major");
  EXPECT_EQ(issues[3].at("severity"), "minor");
  EXPECT_EQ(issues[4].at("severity"), "info");
}

TEST(GitlabReport, AFindingOutsideTheRootStandsAtTheBinary) {
  const json issues = report_to_gitlab(sample_report(), SourceRoot("/home/me"));
  EXPECT_EQ(issues[0].at("location").at("path"), "cart_test.cc") << "its test's relative name";
  ReportFacts facts = sample_report();
  std::vector<gordian::Test> tests = facts.suites[0].detect.suite.tests();
  for (gordian::Test& test : tests) test.file.clear();
  facts.suites[0].detect.suite = Suite(Framework::gtest, "1", tests);
  facts.suites[0].detect.dependences[0].witnessed.file.clear();
  EXPECT_EQ(report_to_gitlab(facts, SourceRoot("/home/me"))[0].at("location").at("path"),
            "build/cart_test");
}

TEST(TapReport, HostileTextIsNoDirective) {
  const ReportFacts facts = hostile_report();
  const std::string text = report_to_tap(facts);
  EXPECT_FALSE(has_control(text));
  std::size_t points = 0, skips = 0;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("ok ") && !line.starts_with("not ok ")) continue;
    ++points;
    for (std::size_t at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1)) {
      if (line[at - 1] != '\\' && line.compare(at, 7, "# SKIP ") == 0) ++skips;
    }
  }
  EXPECT_EQ(points, 16U);
  EXPECT_EQ(skips, 2U) << "those that were left out";
}

TEST(MarkdownReport, RowsOfATableHaveAsManyCells) {
  const std::string text = report_to_markdown(hostile_report(), kRoot);
  EXPECT_FALSE(has_control(text));
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("| D")) continue;
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++bars;
    }
    EXPECT_EQ(bars, 6U) << line.substr(0, 300);
  }
}

TEST(MarkdownReport, WhatDoesNotFitIsCounted) {
  const std::string whole = report_to_markdown(sample_report(), kRoot);
  const std::string cut = report_to_markdown(sample_report(), kRoot, 5'000);
  EXPECT_LE(cut.size(), 5'000U);
  EXPECT_THAT(whole, Not(HasSubstr("did not fit")));
  EXPECT_THAT(cut, HasSubstr("did not fit"));
}

TEST(DotReport, HostileTextStaysInItsQuotes) {
  const std::string text = report_to_dot(hostile_report());
  EXPECT_FALSE(has_control(text));
  for (const std::string& line : lines_of(text)) {
    std::size_t quotes = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == '"') {
        ++quotes;
      }
    }
    EXPECT_EQ(quotes % 2, 0U) << line.substr(0, 300);
  }
}

TEST(DotReport, PolluterPointsAtVictim) {
  const std::string text = report_to_dot(sample_report());
  EXPECT_THAT(text, HasSubstr("b0_t1 -> b0_t3 [label=\"g_total\", penwidth=2];"));
  EXPECT_THAT(text, HasSubstr("b0_t0 -> b0_t3 [label=\"\", style=dotted, arrowhead=empty];"));
  EXPECT_THAT(text, Not(HasSubstr("b0_t7"))) << "takes part in nothing";
}

TEST(Formats, NothingFoundIsSaidInEachOfThem) {
  ReportFacts facts = sample_report();
  facts.suites[0].detect = sample_search();
  EXPECT_THAT(report_to_junit(facts), HasSubstr("failures=\"0\""));
  EXPECT_TRUE(report_to_sarif(facts, kRoot)["runs"][0]["results"].empty());
  EXPECT_EQ(report_to_github(facts, kRoot), "");
  EXPECT_TRUE(report_to_gitlab(facts, kRoot).empty());
  EXPECT_THAT(report_to_markdown(facts, kRoot), StartsWith("## No dependent test was found"));
  EXPECT_THAT(report_to_tap(facts), Not(HasSubstr("not ok")));
}

}  // namespace
}  // namespace gordian
