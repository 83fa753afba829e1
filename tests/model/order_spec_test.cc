// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/order_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

Test test_called(std::string suite, std::string name, bool will_run = true) {
  Test test;
  test.suite = std::move(suite);
  test.name = std::move(name);
  test.will_run = will_run;
  test.disabled = !will_run;
  return test;
}

Suite sample() {
  return Suite(Framework::gtest, "1.12",
               {test_called("A", "One"), test_called("A", "Two"), test_called("B", "One"),
                test_called("B", "DISABLED_Two", false), test_called("C", "One")});
}

std::vector<std::string> names(const Suite& suite, const Order& order) {
  std::vector<std::string> result;
  for (TestId id : order) result.push_back(suite.test(id).full_name());
  return result;
}

std::vector<std::string> made(const std::string& word, const std::string& filter = "") {
  Suite suite = sample();
  auto spec = parse_order_spec(word);
  auto order = make_order(suite, *spec, TestFilter(filter));
  return names(suite, *order);
}

TEST(OrderSpec, ReadsBackWhatItPrints) {
  for (const char* word : {"default", "reverse", "random:7", "interleave:18446744073709551615"}) {
    auto spec = parse_order_spec(word);
    ASSERT_TRUE(spec) << word;
    EXPECT_EQ(spec->text(), word);
  }
}

TEST(OrderSpec, SeedMayBeLeftOut) {
  auto spec = parse_order_spec("random");
  ASSERT_TRUE(spec);
  EXPECT_TRUE(spec->is_random());
  EXPECT_FALSE(spec->seed);
}

TEST(OrderSpec, RefusesBadSeeds) {
  for (const char* word :
       {"random:x", "random:-1", "interleave:1.5", "random:99999999999999999999", "random: 3"}) {
    EXPECT_FALSE(parse_order_spec(word)) << word;
  }
}

TEST(OrderSpec, RefusesWordsThatAreNoFile) {
  auto spec = parse_order_spec("sideways");
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().kind, ErrorKind::usage);
  EXPECT_THAT(spec.error().message, HasSubstr("sideways"));
  EXPECT_THAT(spec.error().hint, HasSubstr("reverse"));
}

TEST(MakeOrder, DefaultLeavesDisabledTestsOut) {
  EXPECT_THAT(made("default"), ElementsAre("A.One", "A.Two", "B.One", "C.One"));
}

TEST(MakeOrder, ReverseIsTheDefaultBackwards) {
  EXPECT_THAT(made("reverse"), ElementsAre("C.One", "B.One", "A.Two", "A.One"));
}

TEST(MakeOrder, RandomKeepsSuitesTogether) {
  for (int seed = 0; seed < 20; ++seed) {
    auto order = made("random:" + std::to_string(seed));
    EXPECT_THAT(order, UnorderedElementsAreArray(made("default")));
    auto one = std::find(order.begin(), order.end(), "A.One");
    auto two = std::find(order.begin(), order.end(), "A.Two");
    EXPECT_EQ(std::abs(one - two), 1) << seed;
  }
}

TEST(MakeOrder, InterleaveParts) {
  bool apart = false;
  for (int seed = 0; seed < 20; ++seed) {
    auto order = made("interleave:" + std::to_string(seed));
    EXPECT_THAT(order, UnorderedElementsAreArray(made("default")));
    auto one = std::find(order.begin(), order.end(), "A.One");
    auto two = std::find(order.begin(), order.end(), "A.Two");
    apart = apart || std::abs(one - two) > 1;
  }
  EXPECT_TRUE(apart);
}

TEST(MakeOrder, SameSeedSameOrder) {
  EXPECT_EQ(made("random:5"), made("random:5"));
  EXPECT_EQ(made("interleave:5"), made("interleave:5"));
}

TEST(MakeOrder, FilterComesBeforeTheShuffle) {
  EXPECT_THAT(made("reverse", "*.One"), ElementsAre("C.One", "B.One", "A.One"));
  EXPECT_THAT(made("random:1", "A.Two"), ElementsAre("A.Two"));
}

class OrderFile : public ScratchDir {
 protected:
  Result<Order> read(const std::string& text, const std::string& filter = "") {
    return make_order(suite_, *parse_order_spec(write("order", text)), TestFilter(filter));
  }
  Suite suite_ = sample();
};

TEST_F(OrderFile, KeepsOrderAndRepetition) {
  auto order = read("# twice\nB.One\r\n  A.One  # spaces\n\nB.One");
  ASSERT_TRUE(order);
  EXPECT_THAT(names(suite_, *order), ElementsAre("B.One", "A.One", "B.One"));
}

TEST_F(OrderFile, NamingADisabledTestDoesNotEnableIt) {
  auto order = read("A.One\nB.DISABLED_Two\n");
  ASSERT_FALSE(order);
  EXPECT_EQ(order.error().kind, ErrorKind::usage);
  EXPECT_NE(order.error().message.find("B.DISABLED_Two"), std::string::npos);
}

TEST_F(OrderFile, ObeysTheFilter) {
  auto order = read("B.One\nA.One\n", "A.*");
  ASSERT_TRUE(order);
  EXPECT_THAT(names(suite_, *order), ElementsAre("A.One"));
}

TEST_F(OrderFile, UnknownTestIsNamedWithItsLine) {
  auto order = read("A.One\nA.Twoo\n");
  ASSERT_FALSE(order);
  EXPECT_THAT(order.error().message, HasSubstr("order:2: no test is called A.Twoo"));
  EXPECT_THAT(order.error().hint, HasSubstr("A.Two?"));
}

TEST_F(OrderFile, WithoutATestIsRefused) {
  EXPECT_FALSE(read("# nothing\n\n"));
}

gordian::Test a_test(std::string_view full_name, std::string tags = "") {
  gordian::Test test;
  const std::size_t dot = full_name.find('.');
  if (dot != std::string_view::npos) test.suite = full_name.substr(0, dot);
  test.name = full_name.substr(dot == std::string_view::npos ? 0 : dot + 1);
  test.tags = std::move(tags);
  return test;
}

TEST(TestFilter, EmptySelectsAll) {
  EXPECT_TRUE(TestFilter().matches(a_test("A.One")));
  EXPECT_TRUE(TestFilter("").matches(a_test("A.One")));
}

TEST(TestFilter, WantedAndUnwanted) {
  TestFilter filter("A.*:B.One-A.Two:A.Slow*");
  EXPECT_TRUE(filter.matches(a_test("A.One")));
  EXPECT_TRUE(filter.matches(a_test("B.One")));
  EXPECT_FALSE(filter.matches(a_test("A.Two")));
  EXPECT_FALSE(filter.matches(a_test("A.SlowOne")));
  EXPECT_FALSE(filter.matches(a_test("C.One")));
}

TEST(TestFilter, OnlyUnwanted) {
  TestFilter filter("-A.*");
  EXPECT_FALSE(filter.matches(a_test("A.One")));
  EXPECT_TRUE(filter.matches(a_test("B.One")));
}

TEST(TestFilter, Tags) {
  const gordian::Test reads = a_test("reads", "[io][slow]"), sorts = a_test("sorts", "[Cpu-Bound]");
  EXPECT_TRUE(TestFilter("[io]").matches(reads));
  EXPECT_TRUE(TestFilter("[slow][io]").matches(reads));
  EXPECT_FALSE(TestFilter("[io][net]").matches(reads));
  EXPECT_FALSE(TestFilter("[i]").matches(reads));
  EXPECT_FALSE(TestFilter("-[slow]").matches(reads));
  EXPECT_FALSE(TestFilter("[io]-[slow]").matches(reads));
  EXPECT_TRUE(TestFilter("-[slow]").matches(sorts));
  EXPECT_TRUE(TestFilter("[net]:sor*").matches(sorts));
  EXPECT_TRUE(TestFilter("[cpu-bound]").matches(sorts)) << "no separator inside of a tag";
}

TEST(TestFilter, AWholeNameSelectsItsTest) {
  EXPECT_TRUE(TestFilter("a - b: c").matches(a_test("a - b: c")));
  EXPECT_FALSE(TestFilter("a - b: c").matches(a_test("a - b: d")));
}

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("A.?ne", "A.One"));
  EXPECT_TRUE(glob_matches("*a*b*c", "xxaxbxbxc"));
  EXPECT_FALSE(glob_matches("A.?ne", "A.ne"));
  EXPECT_FALSE(glob_matches("A.One", "A.OneMore"));
  EXPECT_FALSE(glob_matches("", "A"));
  EXPECT_FALSE(glob_matches("*a", "ab"));
}

}  // namespace
}  // namespace gordian
