// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "config/ignore_list.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

bool ignores(const IgnoreList& list, CarrierKind kind, const std::string& name) {
  return ignoring_rule(list, {kind, name}) != nullptr;
}

TEST(IgnoreList, MeansNamesMembersAndPatterns) {
  IgnoreList list;
  list.variables = {"cache", "g_log*"};
  EXPECT_TRUE(ignores(list, CarrierKind::variable, "cache"));
  EXPECT_TRUE(ignores(list, CarrierKind::heap, "cache.entries[3]"));
  EXPECT_TRUE(ignores(list, CarrierKind::heap, "cache->next"));
  EXPECT_TRUE(ignores(list, CarrierKind::thread_local_variable, "g_logger"));
  EXPECT_FALSE(ignores(list, CarrierKind::variable, "caches"));
  EXPECT_FALSE(ignores(list, CarrierKind::variable, "my_cache"));
  EXPECT_FALSE(ignores(list, CarrierKind::file, "cache"));
  EXPECT_FALSE(ignores(list, CarrierKind::environment, "cache"));
}

TEST(IgnoreList, ADirectoryMeansItsFiles) {
  IgnoreList list;
  list.files = {"/tmp/a", "/var/x/"};
  list.environment = {"LANG"};
  EXPECT_TRUE(ignores(list, CarrierKind::file, "/tmp/a"));
  EXPECT_TRUE(ignores(list, CarrierKind::file, "/tmp/a/b"));
  EXPECT_TRUE(ignores(list, CarrierKind::file, "/var/x/y"));
  EXPECT_FALSE(ignores(list, CarrierKind::file, "/tmp/ab"));
  EXPECT_TRUE(ignores(list, CarrierKind::environment, "LANG"));
  EXPECT_FALSE(ignores(list, CarrierKind::environment, "LANGUAGE"));
  EXPECT_FALSE(ignores(list, CarrierKind::locale, "LANG"));
}

Suite three_tests() {
  std::vector<Test> tests(3);
  tests[0].name = "Writer";
  tests[1].name = "Reader";
  tests[2].name = "Second";
  return Suite(Framework::gtest, "", std::move(tests));
}

/// Test 0 writes both, test 1 reads both, test 2 reads the second.
DataFlow two_states() {
  DataFlow flow;
  flow.order = {TestId{0}, TestId{1}, TestId{2}};
  flow.states = {{{CarrierKind::variable, "a"}, "", "", 0},
                 {{CarrierKind::variable, "b"}, "", "", 0}};
  flow.tests = {{TestId{0}, {}, {StateId{0}, StateId{1}}, ""},
                {TestId{1}, {StateId{0}, StateId{1}}, {}, ""},
                {TestId{2}, {StateId{1}}, {}, ""}};
  Site site;
  flow.dependences = {{TestId{1}, TestId{0}, {StateId{0}, StateId{1}}, site, site},
                      {TestId{2}, TestId{0}, {StateId{1}}, site, site}};
  return flow;
}

TEST(WithoutIgnored, KeepsDependencesThatOthersCarry) {
  IgnoreList list;
  list.variables = {"a"};
  const FlowFacts facts = without_ignored(two_states(), list, three_tests());
  ASSERT_EQ(facts.flow.dependences.size(), 2U);
  EXPECT_EQ(facts.flow.dependences[0].states, std::vector{StateId{1}});
  EXPECT_FALSE(facts.flow.dependences[0].write);  // that was where `a` was written
  EXPECT_TRUE(facts.flow.dependences[1].write);
  EXPECT_EQ(facts.flow.tests[0].writes, std::vector{StateId{1}});
  EXPECT_EQ(facts.ignored_dependences, 0U);
  ASSERT_EQ(facts.ignored.size(), 1U);
  EXPECT_EQ(facts.ignored[0].reads, 1U);
  EXPECT_EQ(facts.ignored[0].writes, 1U);
  EXPECT_EQ(facts.ignored[0].dependences, 1U);
}

TEST(WithoutIgnored, CountsWhatIsGone) {
  IgnoreList list;
  list.variables = {"b"};
  const FlowFacts facts = without_ignored(two_states(), list, three_tests());
  ASSERT_EQ(facts.flow.dependences.size(), 1U);
  EXPECT_TRUE(facts.flow.dependences[0].write);
  EXPECT_EQ(facts.ignored_dependences, 1U);
  EXPECT_EQ(facts.ignored.at(0).dependences, 2U);
}

TEST(WithoutIgnored, SomeTestsOnly) {
  IgnoreList list;
  list.of_tests = {{TestFilter("Second"), {"b"}}};
  const FlowFacts facts = without_ignored(two_states(), list, three_tests());
  ASSERT_EQ(facts.flow.dependences.size(), 1U);
  EXPECT_EQ(facts.flow.dependences[0].reader, TestId{1});
  EXPECT_EQ(facts.flow.dependences[0].states.size(), 2U);
  EXPECT_EQ(facts.flow.tests[0].writes.size(), 2U);
  EXPECT_TRUE(facts.flow.tests[2].reads.empty());
  EXPECT_EQ(facts.ignored_dependences, 1U);
  ASSERT_EQ(facts.ignored.size(), 1U);
  EXPECT_EQ(facts.ignored[0].rule, "b");
  EXPECT_EQ(facts.ignored[0].writes, 0U);
}

TEST(WithoutIgnored, AWriterMayBeIgnoredToo) {
  IgnoreList list;
  list.of_tests = {{TestFilter("Writer"), {"*"}}};
  EXPECT_TRUE(without_ignored(two_states(), list, three_tests()).flow.dependences.empty());
}

TEST(WithoutIgnored, AnEmptyListChangesNothing) {
  const FlowFacts facts = without_ignored(two_states(), {}, {});
  EXPECT_EQ(facts.flow.dependences.size(), 2U);
  EXPECT_TRUE(facts.ignored.empty());
}

}  // namespace
}  // namespace gordian
