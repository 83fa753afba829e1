// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/copy_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gordian {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FirstError, OfTheCompilerBeforeWhatFollowsFromIt) {
  EXPECT_EQ(first_error("[1/2] Building CXX object a.o\n"
                        "FAILED: a.o\n"
                        "/src/a.cc: In function 'int f()':\n"
                        "/src/a.cc:3:10: error: 'x' was not declared in this scope\n"
                        "/src/a.cc:4:1: error: second\n"
                        "ninja: build stopped: subcommand failed.\n"),
            "/src/a.cc:3:10: error: 'x' was not declared in this scope");
}

TEST(FirstError, OfTheLinkerBeforeCollect2) {
  EXPECT_EQ(first_error("/usr/bin/ld: a.o: in function `main':\n"
                        "a.cc:(.text+0x9): undefined reference to `f()'\n"
                        "collect2: error: ld returned 1 exit status\n"),
            "a.cc:(.text+0x9): undefined reference to `f()'");
  EXPECT_EQ(first_error("/usr/bin/ld: cannot find -lnone: No such file or directory\n"
                        "collect2: error: ld returned 1 exit status\n"),
            "/usr/bin/ld: cannot find -lnone: No such file or directory");
  EXPECT_EQ(first_error("ld.lld: error: undefined symbol: f()\n"),
            "ld.lld: error: undefined symbol: f()");
}

TEST(FirstError, OfCMakeWithWhatItIsAbout) {
  EXPECT_EQ(first_error("-- Configuring\nCMake Error at CMakeLists.txt:7 (target_sources):\n"
                        "  Cannot find source file:\n\n    none.cc\n"),
            "CMake Error at CMakeLists.txt:7 (target_sources): Cannot find source file:");
}

TEST(FirstError, OfMakeWhenNobodyElseSaysOne) {
  EXPECT_EQ(first_error("make: *** No rule to make target 'all'.  Stop.\n"),
            "make: *** No rule to make target 'all'.  Stop.");
}

TEST(FirstError, ElseTheLastLine) {
  EXPECT_EQ(first_error("starting\nsomething is odd\n\n"), "something is odd");
  EXPECT_EQ(first_error(""), "");
}

TEST(FirstError, WithoutColours) {
  EXPECT_EQ(
      first_error("\x1b[01m\x1b[Ka.cc:1:2:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kbad"),
      "a.cc:1:2: error: bad");
}

TEST(Warnings, EachOnceInTheirOrder) {
  EXPECT_THAT(warnings_in("b.h:1:2: warning: b [-Wb]\na.cc:9:1: warning: a [-Wa]\n"
                          "b.h:1:2: warning: b [-Wb]\na.cc:9:1: note: no warning\n"),
              ElementsAre("b.h:1:2: warning: b [-Wb]", "a.cc:9:1: warning: a [-Wa]"));
  EXPECT_THAT(warnings_in("[1/2] Building no-warning.cc\n"), IsEmpty());
}

TEST(Warnings, AreTheSameOnAnotherLine) {
  EXPECT_EQ(warning_key("a.cc:9:1: warning: a 12:30 [-Wa]"),
            warning_key("a.cc:12:44: warning: a 12:30 [-Wa]"));
  EXPECT_NE(warning_key("a.cc:9:1: warning: a [-Wa]"), warning_key("b.cc:9:1: warning: a [-Wa]"));
  EXPECT_NE(warning_key("a.cc:9:1: warning: 1 bytes"), warning_key("a.cc:9:1: warning: 2 bytes"));
}

}  // namespace
}  // namespace gordian
