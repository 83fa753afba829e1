// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_report.h"

#include <gtest/gtest.h>

#include "tests/report/explain_samples.h"

namespace gordian {
namespace {

using namespace testing_support;

/// Each line as text.
std::vector<std::string> lines(const Site& site) {
  std::vector<std::string> out;
  for (const StackLine& line : callers(site)) {
    out.push_back(line.frame == nullptr ? folded_text(line) : line.frame->function);
  }
  return out;
}

using Lines = std::vector<std::string>;

TEST(StackFold, EndsWhereTheFrameworkCallsTheTest) {
  Site site = site_in("A.B", {frame("f()", "/s/a.cc", 1), frame("T::TestBody()", "/s/a.cc", 2)});
  EXPECT_EQ(lines(site), Lines{"T::TestBody()"});
}

TEST(StackFold, LibrariesBetweenAreFoldedByName) {
  Site site = site_in(
      "A.B", {frame("f()", "/s/a.cc", 1), frame("qsort_r", "", 0, "libc.so.6"),
              frame("qsort", "", 0, "libc.so.6"),
              frame("void std::sort<int*>(int*, int*)", "/usr/include/c++/12/bits/stl_algo.h", 4),
              frame("void testing::internal::MockBase::Call()", "/s/gtest/gmock.h", 4),
              frame("T::TestBody()", "/s/a.cc", 2)});
  EXPECT_EQ(lines(site), (Lines{"... 2 frames of libc", "... 1 frame of libstdc++",
                                "... 1 frame of GoogleTest", "T::TestBody()"}));
}

TEST(StackFold, AnOwnSharedLibraryIsTheProgram) {
  Site site =
      site_in("A.B", {frame("f()", "/s/a.cc", 1), frame("own()", "/s/lib.cc", 3, "libown.so.1"),
                      frame("T::TestBody()", "/s/a.cc", 2)});
  EXPECT_EQ(lines(site), (Lines{"own()", "T::TestBody()"}));
}

TEST(StackFold, AUsersFunctionThatReturnsAStandardTypeIsHisOwn) {
  Site site = site_in(
      "A.B", {frame("f()", "/s/a.cc", 1), frame("std::vector<int> make<int>(int)", "/s/a.cc", 3),
              frame("T::TestBody()", "/s/a.cc", 2)});
  EXPECT_EQ(lines(site).front(), "std::vector<int> make<int>(int)");
}

TEST(StackFold, HowTheProgramWasStartedIsNoCaller) {
  Site site;
  site.stack = {frame("init()", "/s/a.cc", 1), frame("main", "/s/a.cc", 2),
                frame("__libc_start_main", "", 0, "libc.so.6"),
                frame("_start", "", 0, "libc.so.6")};
  EXPECT_EQ(lines(site), Lines{"main"});
}

TEST(StackFold, ADeepStackIsCutWithTheNumberOfItsFrames) {
  std::vector<StackFrame> deep;
  for (int i = 0; i < 20; ++i) deep.push_back(frame("f" + std::to_string(i), "/s/a.cc", i + 1));
  const Lines shown = lines(site_in("A.B", deep));
  ASSERT_EQ(shown.size(), 8U);
  EXPECT_EQ(shown[6], "f7");
  EXPECT_EQ(shown[7], "... 12 more frames");  // f8 .. f19
}

TEST(StackFold, WhatTheProgramCalledOnTheWayToTheAccess) {
  Site site =
      site_in("A.B",
              {frame("memcpy", "", 0, "libc.so.6"),
               frame("std::string::assign()", "", 0, "libstdc++.so.6"), frame("f()", "/s/a.cc", 1)},
              2);
  const StackLine inner = inner_frames(site);
  EXPECT_EQ(inner.folded, 2U);
  EXPECT_EQ(inner.frame->function, "std::string::assign()");
  EXPECT_EQ(inner.library, "libstdc++");
  site.shown = 0;
  EXPECT_EQ(inner_frames(site).folded, 0U);
}

std::string shortened(std::string function) {
  return short_function(frame(std::move(function), "", 0));
}

TEST(ShortFunction, HasNoArguments) {
  EXPECT_EQ(shortened("setenv"), "setenv");
  EXPECT_EQ(shortened("std::vector<std::pair<int, int>, std::allocator<int> >::push_back(int&&)"),
            "std::vector<...>::push_back");
  EXPECT_EQ(
      shortened("testing::AssertionResult testing::internal::EqHelper::Compare<int, int>(int)"),
      "testing::internal::EqHelper::Compare<...>");
  EXPECT_EQ(shortened("std::__cxx11::basic_string<char, std::char_traits<char>, "
                      "std::allocator<char> >::assign(char const*)"),
            "std::string::assign");
  EXPECT_EQ(shortened("std::filesystem::current_path[abi:cxx11]()"),
            "std::filesystem::current_path");
}

TEST(ShortFunction, KeepsOperators) {
  EXPECT_EQ(shortened("std::function<void ()>::operator()() const"),
            "std::function<...>::operator()");
  EXPECT_EQ(shortened("A::operator=(A const&)"), "A::operator=");
}

TEST(FrameText, SaysWhatTheAuthorWrote) {
  EXPECT_EQ(frame_text(frame("f(std::__cxx11::basic_string<char, std::char_traits<char>, "
                             "std::allocator<char> > const&)",
                             "/src/build/../a.cc", 3)),
            "/src/a.cc:3 in f(std::string const&)");
  EXPECT_EQ(frame_text(frame("f()", "../a.cc", 3)), "../a.cc:3 in f()");
  EXPECT_EQ(frame_text(frame("f()", "", 0)), "f()");
}

TEST(StackFold, AnEmptyStackHasNothing) {
  Site site;
  EXPECT_TRUE(callers(site).empty());
  EXPECT_EQ(inner_frames(site).folded, 0U);
}

}  // namespace
}  // namespace gordian
