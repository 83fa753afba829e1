// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the page is told: a search with everything that belongs to it.
#include "report/page/report_json.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

using nlohmann::json;

const std::vector<std::string> kSource = {"one", "two", "three", "four", "five"};

SourceReader five_lines(const std::string&) {
  return [](const std::string& file) -> const std::vector<std::string>& {
    static const std::vector<std::string> none;
    return file == "s.cc" ? kSource : none;
  };
}

ReportedSuite one_victim() {
  ReportedSuite suite;
  suite.detect.suite = Suite(
      Framework::gtest, "1.12.1",
      {{"S", "A", "s.cc", 3, "", "", false, true}, {"S", "B", "s.cc", 9, "", "", false, true}});
  Dependence found;
  found.id = DependenceId{3};
  found.test = TestId{1};
  found.by = found.singles = {TestId{0}};
  found.witness = {TestId{0}, TestId{1}};
  suite.detect.dependences = {found};
  return suite;
}

json report_of(ReportedSuite suite) {
  ReportFacts facts;
  facts.suites = {std::move(suite)};
  return report_to_json(facts, five_lines).at("suites").at(0);
}

Site site_at(int line) {
  Site site;
  site.test = "S.A";
  site.stack = {{"f()", "s.cc", line, "t", 16}};
  return site;
}

TEST(ReportJson, WithoutExplanationAndRepairTheseAreNull) {
  const json d = report_of(one_victim()).at("dependences").at(0);
  EXPECT_EQ(d.at("id"), "D3");
  EXPECT_TRUE(d.at("explanation").is_null());
  EXPECT_TRUE(d.at("repair").is_null());
}

TEST(ReportJson, SitesHaveTheLinesAroundThem) {
  ReportedSuite suite = one_victim();
  Explanation explanation;
  Carrier carrier;
  carrier.key = {CarrierKind::variable, "g"};
  carrier.write = site_at(2);
  carrier.read = site_at(77);  // the file is shorter: it was changed since
  explanation.carriers = {carrier};
  suite.detect.dependences[0].explanation = explanation;
  const json told = report_of(suite).at("dependences").at(0).at("explanation").at("carriers").at(0);
  const json& lines = told.at("write").at("excerpt");
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines.at(0), (json{{"line", 1}, {"text", "one"}}));
  EXPECT_EQ(lines.at(3), (json{{"line", 4}, {"text", "four"}}));
  EXPECT_TRUE(told.at("read").at("excerpt").empty());
}

TEST(ReportJson, TheAcceptedPatchIsTheOneShown) {
  ReportedSuite suite = one_victim();
  Repair repair;
  repair.attempts.resize(2);
  repair.attempts[1].patch.diff = "+x";
  repair.attempts[1].verdict = RepairVerdict::verified;
  repair.attempts[1].checks = {{CheckKind::alone, true, 3, ""}};
  repair.accepted = 1;
  suite.detect.dependences[0].repair = repair;
  const json told = report_of(suite).at("dependences").at(0).at("repair");
  EXPECT_EQ(told.at("diff"), "+x");
  EXPECT_EQ(told.at("verdict"), "verified");
  EXPECT_EQ(told.at("checks").at(0).at("runs"), 3);
  EXPECT_EQ(told.at("attempts").size(), 2U);
  EXPECT_EQ(told.at("attempts").at(0).at("verdict"), "rejected");
}

TEST(ReportJson, WithoutAnAcceptedPatchTheReasonsAreThere) {
  ReportedSuite suite = one_victim();
  Repair repair;
  repair.why_not = "nothing helped";
  repair.inapplicable = {{Strategy::fresh, "no pointer"}};
  suite.detect.dependences[0].repair = repair;
  const json told = report_of(suite).at("dependences").at(0).at("repair");
  EXPECT_TRUE(told.at("diff").is_null());
  EXPECT_EQ(told.at("why_not"), "nothing helped");
  EXPECT_EQ(told.at("inapplicable"),
            (json::array({{{"strategy", "fresh"}, {"why", "no pointer"}}})));
}

TEST(ReportJson, PastRunsAreTold) {
  ReportedSuite suite = one_victim();
  suite.history = {{RunId{4}, "random:7", Isolation::none, 12, std::chrono::nanoseconds(30),
                    RunEnd::finished, 2, 1}};
  EXPECT_EQ(report_of(suite).at("history").at(0), (json{{"id", "R4"},
                                                        {"order", "random:7"},
                                                        {"isolation", "none"},
                                                        {"started_unix_ms", 12},
                                                        {"wall_ns", 30},
                                                        {"end", "finished"},
                                                        {"tests", 2},
                                                        {"failed", 1}}));
}

TEST(ReportJson, DurationsStandWhereTheirTestStands) {
  ReportedSuite suite = one_victim();
  ReportedRun run;
  run.id = RunId{7};
  run.isolation = Isolation::snapshot;
  TestRun second{TestId{1}};
  second.outcome.kind = OutcomeKind::pass;
  second.duration = std::chrono::nanoseconds(5);
  run.tests = {second};
  suite.runs = {run};
  const json told = report_of(suite).at("runs").at(0);
  EXPECT_EQ(told.at("id"), "R7");
  EXPECT_EQ(told.at("duration_ns"), (json::array({nullptr, 5})));
  EXPECT_EQ(told.at("outcomes"), (json::array({nullptr, "pass"})));
}

TEST(ReportJson, PairsAreBitsInBase64) {
  ReportedSuite suite = one_victim();
  suite.pairs.emplace();
  suite.pairs->covered = {{{1, 1}}, {}};
  suite.pairs->changed = {{TestId{0}, TestId{1}}};
  const json told = report_of(suite).at("pairs");
  EXPECT_EQ(told.at("covered"), (json::array({"Ag==", "AA=="})));
  EXPECT_EQ(told.at("changed"), (json::array({json::array({0, 1})})));
  EXPECT_TRUE(report_of(one_victim()).at("pairs").is_null());
}

json page_of(ReportedSuite suite) {
  ReportFacts facts;
  facts.suites = {std::move(suite)};
  return report_to_json(facts, five_lines, DocumentFor::page).at("suites").at(0);
}

/// `tests` tests S.0, S.1, ... in two files; nothing was found.
ReportedSuite many_tests(int tests) {
  ReportedSuite suite;
  std::vector<gordian::Test> list;
  for (int i = 0; i < tests; ++i) {
    const char* file = i < tests / 2 ? "/home/ada/project/tests/first_test.cc" : "second_test.cc";
    list.push_back({"S", std::to_string(i), file, i + 10, "", "", i == 3, true});
  }
  suite.detect.suite = Suite(Framework::gtest, "1.12.1", std::move(list));
  suite.pairs.emplace();
  suite.pairs->covered.resize(static_cast<std::size_t>(tests));
  return suite;
}

TEST(PageJson, TestsAreColumns) {
  const json told = page_of(many_tests(4)).at("tests");
  EXPECT_EQ(told.at("names"), (json{"S.0", "S.1", "S.2", "S.3"}));
  EXPECT_EQ(told.at("files"), (json{"/home/ada/project/tests/first_test.cc", "second_test.cc"}));
  EXPECT_EQ(told.at("file"), (json{0, 2, 1, 2}));
  EXPECT_EQ(told.at("line"), (json{10, 11, 12, 13}));
  EXPECT_EQ(told.at("disabled"), json::array({3}));
}

TEST(PageJson, PairsAreRunsOrBitsWhicheverIsShorter) {
  ReportedSuite suite = many_tests(100);
  suite.pairs->covered[4] = {{0, 4}, {5, 95}};
  for (std::uint32_t i = 0; i < 100; i += 2) suite.pairs->covered[9].push_back({i, 1});
  suite.pairs->changed = {{TestId{4}, TestId{7}}};
  const json told = page_of(suite).at("pairs");
  ASSERT_EQ(told.at("covered").size(), 2U);  // of the other 98 nothing was run
  EXPECT_EQ(told.at("covered").at(0), (json{4, 0, 4, 5, 95}));
  EXPECT_EQ(told.at("covered").at(1), (json{9, "VVVVVVVVVVVVVVVVBQ=="}));
  EXPECT_EQ(told.at("changed"), (json::array({json::array({4, 7})})));
  EXPECT_TRUE(page_of(one_victim()).at("pairs").is_null());
}

TEST(PageJson, LongListsOfTestsArePlaces) {
  ReportedSuite suite = many_tests(100);
  Dependence found;
  found.id = DependenceId{1};
  found.test = TestId{50};
  found.by = {TestId{51}};
  found.witness = {TestId{51}, TestId{50}};
  for (std::uint32_t i = 0; i < 20; ++i) found.cleaners.push_back(TestId{30 - i});
  found.cleaners.push_back(TestId{3});
  suite.detect.dependences = {found};
  const json told = page_of(suite).at("dependences").at(0);
  EXPECT_EQ(told.at("cleaners"), (json{{"tests_at", {30, -20, 3, 1}}}));
  EXPECT_EQ(told.at("witness"), (json{"S.51", "S.50"}));
  EXPECT_EQ(report_of(suite).at("dependences").at(0).at("cleaners").size(), 21U);
}

TEST(PageJson, ManyTestsTakeFewBytesEach) {
  constexpr int kMany = 2000;
  ReportedSuite suite = many_tests(kMany);
  for (std::uint32_t i = 0; i < kMany; ++i) suite.pairs->covered[i] = {{0, kMany}};
  suite.runs.resize(2);
  for (ReportedRun& run : suite.runs) {
    for (std::uint32_t i = 0; i < kMany; ++i) {
      TestRun& test = run.tests.emplace_back(TestId{i});
      test.outcome.kind = OutcomeKind::pass;
      test.duration = std::chrono::microseconds(1234);
    }
  }
  EXPECT_LT(page_of(suite).dump().size() / kMany, 75U);
}

}  // namespace
}  // namespace gordian
