// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which dependences of two reports are the same.
#include "report/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/json.h"
#include "report/page/report_json.h"
#include "tests/report/formats/report_samples.h"
#include "tests/report/golden.h"

namespace gordian {
namespace {

using namespace testing_support;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ComparedSuite suite(std::string binary, std::vector<ComparedDependence> dependences,
                    std::vector<std::string> tests = {"S.A", "S.B", "S.C"}) {
  return {std::move(binary), std::move(dependences), std::move(tests), true, 1};
}

ComparedDependence victim_of(std::string test, std::vector<std::string> carriers = {},
                             std::string id = "D1") {
  return {std::move(id), std::move(test), "victim", {"S.C"}, std::move(carriers), "", 0};
}

/// "new/gone/remaining/not searched again" as tests.
struct Told {
  std::vector<std::string> fresh, gone, remaining, not_searched;
};

Told compared(std::vector<ComparedSuite> before, std::vector<ComparedSuite> now) {
  const ComparedReport old{"old", std::move(before)}, fresh{"new", std::move(now)};
  const Comparison result = compare_reports(old, fresh);
  auto tests = [](const std::vector<ComparedChange>& changes) {
    std::vector<std::string> names;
    for (const ComparedChange& change : changes) {
      names.push_back((change.now != nullptr ? change.now : change.before)->test);
    }
    return names;
  };
  return {tests(result.fresh), tests(result.gone), tests(result.remaining),
          tests(result.not_searched)};
}

TEST(Compare, NewGoneAndRemaining) {
  const Told told = compared({suite("/a/t", {victim_of("S.A"), victim_of("S.B")})},
                             {suite("/a/t", {victim_of("S.B", {}, "D9"), victim_of("S.C")})});
  EXPECT_THAT(told.fresh, ElementsAre("S.C"));
  EXPECT_THAT(told.gone, ElementsAre("S.A"));
  EXPECT_THAT(told.remaining, ElementsAre("S.B")) << "its number does not matter";
}

TEST(Compare, AnotherRoleIsAnotherDependence) {
  ComparedDependence brittle = victim_of("S.A");
  brittle.role = "brittle";
  const Told told = compared({suite("/a/t", {victim_of("S.A")})}, {suite("/a/t", {brittle})});
  EXPECT_THAT(told.fresh, ElementsAre("S.A"));
  EXPECT_THAT(told.gone, ElementsAre("S.A"));
}

TEST(Compare, AnotherProvedCarrierIsAnotherDependence) {
  const Told told = compared({suite("/a/t", {victim_of("S.A", {"g_x"})})},
                             {suite("/a/t", {victim_of("S.A", {"g_y"})})});
  EXPECT_THAT(told.fresh, ElementsAre("S.A"));
  EXPECT_THAT(told.remaining, IsEmpty());
}

TEST(Compare, WithoutAProvedCarrierTheTestDecides) {
  const Told told =
      compared({suite("/a/t", {victim_of("S.A")})}, {suite("/a/t", {victim_of("S.A", {"g_y"})})});
  EXPECT_THAT(told.remaining, ElementsAre("S.A"));
}

TEST(Compare, OnAnotherMachineThePathIsAnotherOne) {
  const Told told = compared({suite("/home/me/build/cart_test", {victim_of("S.A")})},
                             {suite("/builds/7/out/cart_test", {victim_of("S.A")})});
  EXPECT_THAT(told.remaining, ElementsAre("S.A"));
}

TEST(Compare, BinariesOfOneNameAreToldApartByTheEndOfTheirPaths) {
  const Told told = compared(
      {suite("/x/core/unit", {victim_of("S.A")}), suite("/x/net/unit", {victim_of("S.B")})},
      {suite("/y/net/unit", {victim_of("S.B")}), suite("/y/core/unit", {victim_of("S.A")})});
  EXPECT_THAT(told.fresh, IsEmpty());
  EXPECT_THAT(told.remaining, ElementsAre("S.A", "S.B"));
}

TEST(Compare, ARenamedBinaryIsKnownByItsTests) {
  EXPECT_THAT(compared({suite("/x/cart", {victim_of("S.A")})},
                       {suite("/x/cart_tests", {victim_of("S.A")}, {"S.A", "S.B", "S.C", "S.D"})})
                  .remaining,
              ElementsAre("S.A"));
  EXPECT_THAT(compared({suite("/x/cart", {victim_of("S.A")})},
                       {suite("/x/other", {victim_of("S.A")}, {"S.A", "Q.B", "Q.C"})})
                  .remaining,
              IsEmpty());
}

TEST(Compare, WhatWasNotSearchedAgainIsNotGone) {
  const Told told = compared({suite("/x/cart", {victim_of("S.A")})},
                             {suite("/x/net", {victim_of("N.A")}, {"N.A"})});
  EXPECT_THAT(told.gone, IsEmpty());
  EXPECT_THAT(told.not_searched, ElementsAre("S.A"));
  EXPECT_THAT(told.fresh, ElementsAre("N.A"));
}

TEST(Compare, GoneSaysWhyItMayNotBe) {
  ComparedSuite hasty = suite("/a/t", {}, {"S.A"});
  hasty.finished = false;
  const ComparedReport old{"old", {suite("/a/t", {victim_of("S.A"), victim_of("S.B")})}};
  const ComparedReport now{"new", {hasty}};
  const Comparison result = compare_reports(old, now);
  ASSERT_EQ(result.gone.size(), 2U);
  EXPECT_THAT(result.gone[0].remark, HasSubstr("not finished"));
  EXPECT_EQ(result.gone[1].remark, "the test is no longer there");
  EXPECT_THAT(result.unfinished, ElementsAre("t"));
}

TEST(Compare, FewerPairsAreARemarkToo) {
  ComparedSuite less = suite("/a/t", {});
  less.covered = 0.5;
  const ComparedReport old{"old", {suite("/a/t", {victim_of("S.A")})}}, now{"new", {less}};
  EXPECT_THAT(compare_reports(old, now).gone.at(0).remark, HasSubstr("fewer pairs"));
}

SourceReader no_lines(const std::string&) {
  return [](const std::string&) -> const std::vector<std::string>& {
    static const std::vector<std::string> none;
    return none;
  };
}

ReportFacts later_report() {
  ReportFacts facts = sample_report();
  DetectFacts& detect = facts.suites[0].detect;
  detect.target.binary = detect.binary.path = "/builds/7/cart_test";
  detect.dependences.erase(detect.dependences.begin() + 2);
  detect.dependences.push_back(victim(7, {0}));
  detect.dependences.back().id = DependenceId{12};
  detect.search.out_of_budget = true;
  return facts;
}

TEST(Compare, ReadsReportsAndSearches) {
  const json whole = report_to_json(sample_report(), no_lines);
  auto report = compared_report(whole, "r.json");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->suites[0].tests.size(), 8U);
  EXPECT_THAT(report->suites[0].dependences[0].carriers, ElementsAre("g_total"));
  EXPECT_THAT(report->suites[0].dependences[1].carriers, IsEmpty()) << "a suspect counts not";
  json detect = whole.at("suites").at(0);
  detect.erase("tests");
  detect["kind"] = "detect";
  detect["version"] = kJsonVersion;
  ASSERT_TRUE(compared_report(detect, "d.json").ok());
}

TEST(Compare, AlienFilesAreAUsageError) {
  for (const json& alien : {json("x"), json::object(), json{{"kind", "run"}, {"version", 1}},
                            json{{"kind", "report"}, {"version", 99}, {"suites", json::array()}},
                            json{{"kind", "report"}, {"version", 1}, {"suites", {1}}}}) {
    auto report = compared_report(alien, "a.json");
    ASSERT_FALSE(report.ok()) << alien;
    EXPECT_EQ(report.error().kind, ErrorKind::usage);
    EXPECT_THAT(report.error().message, HasSubstr("a.json"));
  }
}

TEST(Compare, Goldens) {
  const auto before = compared_report(report_to_json(sample_report(), no_lines), "old.db");
  const auto now = compared_report(report_to_json(later_report(), no_lines), "new.db");
  ASSERT_TRUE(before.ok() && now.ok());
  const Comparison result = compare_reports(*before, *now);
  expect_golden("compare.txt", comparison_text(result, Style{}));
  expect_golden("compare.md", comparison_to_markdown(result));
  expect_golden("compare.json", dump_json(comparison_to_json(result)));
  expect_golden("compare.github.txt", comparison_to_github(result, SourceRoot("/src")));
}

TEST(Compare, HostileNamesStayOnTheirLine) {
  const auto report = compared_report(report_to_json(hostile_report(), no_lines), "h\nx");
  ASSERT_TRUE(report.ok());
  const Comparison result = compare_reports(ComparedReport{"o", {}}, *report);
  const std::string github = comparison_to_github(result, SourceRoot("/src"));
  EXPECT_EQ(std::count(github.begin(), github.end(), '\n'), 8);
  const std::string text = comparison_text(result, Style{});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_THAT(text, HasSubstr("8 new dependences, none gone, none remaining."));
}

}  // namespace
}  // namespace gordian
