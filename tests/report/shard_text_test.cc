// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/shard_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gordian {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

Suite suite_of(std::initializer_list<const char*> names) {
  std::vector<gordian::Test> tests;
  for (const char* name : names) {
    gordian::Test test;
    test.suite = "Shop";
    test.name = name;
    tests.push_back(test);
  }
  return Suite(Framework::gtest, "1.12.1", tests);
}

/// Opens, Sells | Closes and, in a process of its own behind an extra run of Opens, Counts.
ShardPlan plan() {
  ShardFacts facts;
  facts.binary.path = "/b/shop_tests";
  facts.suite = suite_of({"Opens", "Sells", "Closes", "Counts"});
  facts.searched = facts.by_time = true;
  facts.known = 2;
  facts.timed_by = RunId{7};
  facts.groups = {{TestId{0}, TestId{1}}};
  facts.shards.resize(2);
  facts.shards[0].processes = {{{TestId{0}, TestId{1}}, {false, false}, {}}};
  facts.shards[0].tests = 2;
  facts.shards[0].time = milliseconds(300);
  facts.shards[1].processes = {{{TestId{2}}, {false}, {}},
                               {{TestId{0}, TestId{3}}, {true, false}, "out/x.order"}};
  facts.shards[1].tests = 2;
  facts.shards[1].extras = 1;
  facts.shards[1].time = milliseconds(100);
  facts.moved = {{TestId{3}, 1, DependenceId{2}}};
  facts.impossible = {{TestId{2}, 1, kNoDependence}};
  facts.notices = {{Notice::Level::warning, "watch out\x1b[31m"}};
  return {{facts}, 2, "0badcafe"};
}

TEST(ShardText, TellsTheSplitAndItsPrice) {
  const std::string text = shard_text(plan(), "gordian run x --shard", {});
  EXPECT_EQ(text,
            "/b/shop_tests: 4 tests, 2 known dependences, times of R7\n"
            "\n"
            "  shard  tests    time  processes  extra runs\n"
            "  1/2        2  300 ms          1           0\n"
            "  2/2        2  100 ms          2           1\n"
            "\n"
            "      Balance  slowest 300 ms, 50 % above the mean; all tests in one 400 ms\n"
            "Kept together  Shop.Opens, Shop.Sells\n"
            "        Moved  Shop.Counts (D2) into another process of shard 2/2\n"
            "   Impossible  Shop.Closes (declared): no order is known that gives its expected "
            "result; it stands alone in shard 2/2\n"
            "      Warning  watch out\\x1b[31m\n"
            "      Written  out/x.order\n"
            "        Split  0badcafe\n"
            "          Run  gordian run x --shard 1/2\n");
}

TEST(ShardText, WithoutTimesTheNumbersOfTestsAreBalanced) {
  ShardPlan by_count = plan();
  by_count.targets[0].by_time = false;
  by_count.targets[0].timed_by.reset();
  EXPECT_DOUBLE_EQ(imbalance(by_count), 0);
  const std::string text = shard_text(by_count, "", {});
  EXPECT_THAT(text, HasSubstr("by number of tests, largest 0 % above the mean"));
  EXPECT_THAT(text, testing::Not(HasSubstr("Run")));
}

TEST(ShardText, AnEmptyShardSaysSo) {
  ShardPlan empty = plan();
  empty.targets[0].shards[1] = {};
  EXPECT_THAT(shard_headline(empty, 1, {}), HasSubstr("2/2 of split 0badcafe: no tests\n"));
  EXPECT_THAT(shard_headline(empty, 0, {}), HasSubstr("2 tests, about 300 ms\n"));
}

TEST(ShardJson, HasEveryProcessAndWhatIsExtraInIt) {
  const nlohmann::json shards = shards_to_json(plan());
  EXPECT_EQ(shards["kind"], "shards");
  EXPECT_EQ(shards["split"], "0badcafe");
  const auto& target = shards["targets"][0];
  EXPECT_EQ(target["timed_by"], "R7");
  const auto& second = target["shards"][1]["processes"][1];
  EXPECT_EQ(second["order"], (std::vector<std::string>{"Shop.Opens", "Shop.Counts"}));
  EXPECT_EQ(second["extra"], (std::vector<std::string>{"Shop.Opens"}));
  EXPECT_EQ(second["file"], "out/x.order");
  EXPECT_EQ(target["moved"][0]["dependence"], "D2");
  EXPECT_TRUE(target["impossible"][0]["dependence"].is_null());
}

}  // namespace
}  // namespace gordian
