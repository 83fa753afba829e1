// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/native/witness_lab.h"

#include <gtest/gtest.h>

#include "model/stack.h"
#include "tests/runtime/native/traced_test.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;

StackFrame frame(const char* function, const char* file, const char* module) {
  return {function, file, 1, module, 0};
}

TEST(ShownFrame, LibrariesAndTheirHeadersAreSkipped) {
  const std::vector<StackFrame> stack = {
      frame("__memmove_avx_unaligned", "", "libc.so.6"),
      frame("void std::__copy_move<long>(long*)", "/usr/include/c++/12/bits/a.h", "t"),
      frame("testing::internal::Log()", "/home/u/gtest/gtest.cc", "t"),
      frame("void std::fill<int*, int>(int*, int*, int const&)", "", "t"),
      frame("std::string app::make<int>(std::vector<int> const&)", "/home/u/app.h", "t"),
      frame("main", "/home/u/main.cc", "t")};
  EXPECT_EQ(shown_frame(stack), 4u);
}

TEST(ShownFrame, NamesThatOnlyLookLikeTheLibrarysAreTheProgramsOwn) {
  EXPECT_EQ(shown_frame(std::vector{frame("f", "", "libc.so.6"),
                                    frame("(anonymous namespace)::f(std::vector<int>)", "", "t")}),
            1u);
  EXPECT_EQ(shown_frame(std::vector{frame("f", "", "libc.so.6"),
                                    frame("std::vector<int> app::operator+<int>(int)", "", "t")}),
            1u);
  EXPECT_EQ(shown_frame(std::vector{frame("f", "", "libc.so.6"), frame("stdlike::f()", "", "t")}),
            1u);
}

TEST(ShownFrame, ALibraryWithoutLinesIsPassedOver) {
  const StackFrame library = frame("sqlite3_open", "", "libsqlite3.so.0");
  const StackFrame program = frame("Shop::Shop()", "/home/u/shop.cc", "shop_test");
  EXPECT_EQ(shown_frame(std::vector{library, library, program}), 2u);
  EXPECT_EQ(shown_frame(std::vector{library, frame("Shop::Shop()", "", "shop_test")}), 0u);
  EXPECT_EQ(shown_frame(std::vector{frame("add", "", "shop_test"), program}), 0u);
}

TEST(ShownFrame, ATestInTheFrameworksNamespaceIsTheProgramsOwn) {
  const StackFrame set =
      frame("testing::DefaultValue<int>::Set(int)", "/usr/include/gmock/gmock-actions.h", "t");
  const StackFrame run = frame("testing::Test::Run()", "", "t");
  EXPECT_EQ(shown_frame(std::vector{
                set, frame("testing::(anonymous namespace)::A_B_Test::TestBody()", "", "t"), run}),
            1u);
  EXPECT_EQ(shown_frame(std::vector{
                set, frame("testing::helper()", "/home/u/gmock-actions_test.cc", "t"), run}),
            1u);
  EXPECT_EQ(shown_frame(std::vector{set, frame("testing::f()", "/u/third/gtest-all.cc", "t"),
                                    frame("A_B_Test::TestBody()", "/u/t.cc", "t"), run}),
            2u);
}

TEST(ShownFrame, WhatTheFrameworkDoesOfItsOwnAccordIsNotDoneByMain) {
  const std::vector<StackFrame> stack = {
      frame("memcpy", "", "libc.so.6"),
      frame("testing::WithParamInterface<int>::SetParam()", "/usr/include/gtest/gtest.h", "t"),
      frame("testing::TestInfo::Run()", "", "t"),
      frame("RUN_ALL_TESTS()", "/usr/include/gtest/gtest.h", "t"), frame("main", "/u/t.cc", "t")};
  EXPECT_EQ(shown_frame(stack), 1u);
}

TEST(ShownFrame, WhenAllIsTheSystemsItIsTheInnermost) {
  EXPECT_EQ(shown_frame(std::vector{frame("read", "", "libc.so.6"),
                                    frame("std::terminate()", "", "libstdc++.so.6")}),
            0u);
  EXPECT_EQ(shown_frame({}), 0u);
}

TEST(IsAgents, TheInnermostOfProgramAndAgentDecides) {
  const StackFrame libc = frame("memcpy", "", "libc.so.6");
  const StackFrame agent = frame("undo", "", "libgordian-agent.so");
  const StackFrame program = frame("TestBody", "/home/u/t.cc", "t");
  EXPECT_TRUE(is_agents(std::vector{libc, agent, program}));
  EXPECT_FALSE(is_agents(std::vector{libc, program, agent}));
  EXPECT_FALSE(is_agents(std::vector{libc}));
}

class SitesTest : public TracedTest {
 protected:
  SiteSearch search() {
    SiteSearch search;
    search.release = [this] { program_->release(); };
    search.until = [this] { return program_->done(); };
    search.deadline = Tracer::Clock::now() + 30s;
    return search;
  }
  std::vector<Watch> value() const { return {{program_->value, 8, false}}; }
  static void expect_shown(const std::optional<Site>& site, const char* name) {
    ASSERT_TRUE(site.has_value());
    ASSERT_LT(site->shown, site->stack.size());
    EXPECT_EQ(site->stack[site->shown].line, traced_line(name));
    EXPECT_TRUE(site->stack[site->shown].file.ends_with("traced.cc"));
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, SitesTest, traced_levels(), level_name);

TEST_P(SitesTest, TheLastWriteIsTheLastAndAllAreCounted) {
  start("plain");
  auto site = last_write(*tracer_, value(), search());
  ASSERT_TRUE(site.ok()) << site.error().message;
  expect_shown(*site, "same");
  EXPECT_EQ((*site)->times, 3u);
  EXPECT_FALSE((*site)->times_capped);
  ASSERT_TRUE(tracer_->detach().ok());
  EXPECT_EQ(program_->finish(), 42);
}

TEST_P(SitesTest, ALastWriteByTheKernelIsFound) {
  start("kernel");
  auto site = last_write(*tracer_, value(), search());
  ASSERT_TRUE(site.ok()) << site.error().message;
  expect_shown(*site, "kernel write");
}

TEST_P(SitesTest, AWriteInsideOfTheLibraryShowsTheLineThatAskedForIt) {
  start("fill");
  auto site = last_write(*tracer_, std::vector<Watch>{{program_->copied, 8, false}}, search());
  ASSERT_TRUE(site.ok()) << site.error().message;
  expect_shown(*site, "library");
}

TEST_P(SitesTest, TheFirstReadSkipsWrites) {
  start("plain");
  auto site = first_read(*tracer_, value(), search());
  ASSERT_TRUE(site.ok()) << site.error().message;
  expect_shown(*site, "read");
}

TEST_P(SitesTest, StateThatIsNotTouchedHasNoSite) {
  start("umask");
  auto site = last_write(*tracer_, value(), search());
  ASSERT_TRUE(site.ok()) << site.error().message;
  EXPECT_FALSE(site->has_value());
}

TEST_P(SitesTest, AfterTheLimitTheProgramRunsOnUnwatched) {
  start("many");
  SiteSearch how = search();
  how.max_hits = 50;
  auto site = last_write(*tracer_, value(), how);
  ASSERT_TRUE(site.ok()) << site.error().message;
  expect_shown(*site, "many");
  EXPECT_EQ((*site)->times, 50u);
  EXPECT_TRUE((*site)->times_capped);
  EXPECT_TRUE(program_->done());
}

TEST_P(SitesTest, AProcessThatEndsBeforeIsNoError) {
  start("plain");
  SiteSearch how = search();
  how.release = [this] { ::kill(program_->pid(), SIGKILL); };
  auto site = last_write(*tracer_, value(), how);
  ASSERT_TRUE(site.ok()) << site.error().message;
  EXPECT_FALSE(site->has_value());
}

}  // namespace
}  // namespace gordian
