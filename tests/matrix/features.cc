// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every feature of GoogleTest that could upset an agent living in the same process. Built by
// build_matrix with many versions (1.8 and newer) and flags, so it stays plain C++11. What each
// order of these tests must give is in expectations.json; most tests here are meant to go wrong.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#ifndef INSTANTIATE_TEST_SUITE_P  // GoogleTest 1.8 calls a suite a test case
#define INSTANTIATE_TEST_SUITE_P INSTANTIATE_TEST_CASE_P
#define TYPED_TEST_SUITE TYPED_TEST_CASE
#define SetUpTestSuite SetUpTestCase
#define TearDownTestSuite TearDownTestCase
#define test_suite_name test_case_name
#endif

namespace {

int polluted = 0;         // written by Fixture.Pollutes, checked by Fixture.IsVictim
int open_suites = 0;      // Fixture suites set up and not yet torn down
int environments = 0;     // global environments set up and not yet torn down
int environment_ups = 0;  // set-ups ever
int tests_started = 0;    // as seen by the listener that main() adds
int tests_ended = 0;

class CountingEnvironment : public testing::Environment {
  void SetUp() override {
    ++environments;
    ++environment_ups;
  }
  void TearDown() override { --environments; }
};

/// Writes down what really runs, for run_matrix: "<process> <suite>.<test>".
void note_start(const testing::TestInfo& test) {
  const char* path = getenv("FEATURES_LOG");
  FILE* log = path ? fopen(path, "a") : nullptr;
  if (!log) {
    return;
  }
  fprintf(log, "%d %s.%s\n", (int)getpid(), test.test_suite_name(), test.name());
  fclose(log);
}

class CountingListener : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    ++tests_started;
    note_start(test);
  }
  void OnTestEnd(const testing::TestInfo&) override { ++tests_ended; }
};

// --- fixtures, environments, listeners: GoogleTest's own bookkeeping must stay intact ---

class Fixture : public testing::Test {
 protected:
  static void SetUpTestSuite() { ++open_suites; }
  static void TearDownTestSuite() { --open_suites; }
};

TEST_F(Fixture, Passes) {
  EXPECT_EQ(1, open_suites);
}

TEST_F(Fixture, Pollutes) {
  EXPECT_EQ(1, open_suites);
  polluted = 1;
}

TEST_F(Fixture, IsVictim) {
  EXPECT_EQ(0, polluted) << "a message\nof two lines";
}

TEST(Bookkeeping, NoFixtureSuiteIsOpen) {
  EXPECT_EQ(0, open_suites);
}

TEST(Bookkeeping, EnvironmentIsUpOnce) {
  EXPECT_EQ(1, environments);
  EXPECT_EQ(1, environment_ups);
}

TEST(Bookkeeping, ListenerOfMainSeesEveryTest) {
  EXPECT_EQ(tests_ended + 1, tests_started);
}

TEST(Bookkeeping, KnowsItsOwnName) {
  const testing::TestInfo* self = testing::UnitTest::GetInstance()->current_test_info();
  ASSERT_NE(nullptr, self);
  EXPECT_STREQ("Bookkeeping", self->test_suite_name());
  EXPECT_STREQ("KnowsItsOwnName", self->name());
}

TEST(Bookkeeping, PassesOnlyOnce) {
  static int runs = 0;
  EXPECT_EQ(1, ++runs);
}

// --- ways to fail ---

TEST(Fails, Fatally) {
  FAIL() << "fatal";
}

TEST(Fails, TwiceInOneTest) {
  EXPECT_EQ(1, 2) << "first";
  EXPECT_EQ(3, 4) << "second";
}

TEST(Fails, WithStandardException) {
  throw std::runtime_error("boom");
}

TEST(Fails, WithOtherException) {
  throw 42;
}

class FailsInSetUp : public testing::Test {
  void SetUp() override { FAIL() << "set-up"; }
};

TEST_F(FailsInSetUp, BodyMustNotRun) {
  abort();
}

TEST(Fails, NotWhenIntercepted) {
  EXPECT_NONFATAL_FAILURE(EXPECT_EQ(1, 2) << "caught", "caught");
}

TEST(Fails, DISABLED_NotWhenDisabled) {
  FAIL();
}

class BadSuiteSetUp : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (polluted == 0) {
      ADD_FAILURE() << "suite set-up";
    }
  }
};

TEST_F(BadSuiteSetUp, First) {}
TEST_F(BadSuiteSetUp, Second) {}

class BadSuiteTearDown : public testing::Test {
 protected:
  static void TearDownTestSuite() { ADD_FAILURE() << "suite tear-down"; }
};

TEST_F(BadSuiteTearDown, Passes) {}

#ifdef GTEST_SKIP
TEST(Skips, InBody) {
  GTEST_SKIP() << "not today";
}

class SkipsInSetUp : public testing::Test {
  void SetUp() override { GTEST_SKIP() << "not today either"; }
};

TEST_F(SkipsInSetUp, BodyMustNotRun) {
  abort();
}
#endif

// --- ways to end the process ---

TEST(Ends, BySegmentationFault) {
  raise(SIGSEGV);
}
TEST(Ends, ByAbort) {
  abort();
}
TEST(Ends, ByExitZero) {
  exit(0);
}
TEST(Ends, ByExitSeven) {
  exit(7);
}
TEST(Ends, ByUnderscoreExit) {
  _exit(0);
}

TEST(Ends, Never) {
  for (;;) {
    pause();
  }
}

// --- death tests: the dying child is a copy of us, agent included ---

void set_death_style(const char* style) {
  ::testing::GTEST_FLAG(death_test_style) = style;
}

TEST(DeathTest, Fast) {
  set_death_style("fast");
  EXPECT_DEATH(
      {
        EXPECT_EQ(1, 2) << "a failure in the child is not ours";
        abort();
      },
      "");
}

TEST(DeathTest, ThreadSafe) {
  set_death_style("threadsafe");
  EXPECT_DEATH(abort(), "");
}

TEST(DeathTest, ExitCode) {
  set_death_style("fast");
  EXPECT_EXIT(exit(3), testing::ExitedWithCode(3), "");
}

TEST(DeathTest, ThreadSafeExitCode) {
  set_death_style("threadsafe");
  EXPECT_EXIT(exit(3), testing::ExitedWithCode(3), "");
}

TEST(DeathTest, FailsToDie) {
  set_death_style("fast");
  EXPECT_DEATH({}, "");
}

// --- generated names ---

class Numbers : public testing::TestWithParam<int> {};
TEST_P(Numbers, AreOdd) {
  EXPECT_EQ(1, GetParam() % 2);
}
INSTANTIATE_TEST_SUITE_P(Few, Numbers, testing::Values(1, 2, 3));

template <class T>
class Sizes : public testing::Test {};
typedef testing::Types<int, char> SomeTypes;
TYPED_TEST_SUITE(Sizes, SomeTypes);
TYPED_TEST(Sizes, AreFour) {
  EXPECT_EQ(4u, sizeof(TypeParam));
}

// --- processes, threads, output ---

TEST(Leaves, AThreadRunning) {
  std::thread([] {
    for (;;) {
      pause();
    }
  }).detach();
}

TEST(Leaves, AChildThatExited) {
  const pid_t child = fork();
  if (child == 0) {
    exit(5);  // runs our atexit handlers in a copy of this process
  }
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

TEST(Prints, WhatLooksLikeAResult) {
  printf("[  FAILED  ] Prints.WhatLooksLikeAResult (0 ms)\n");
  fprintf(stderr, "[ RUN      ] Fixture.Passes\n");
  printf("a last line without its end");
}

TEST(Prints, ALot) {
  for (int i = 0; i < 4000; ++i) {
    printf("line %d of a test that talks more than a pipe holds\n", i);
  }
}

}  // namespace

int main(int argc, char** argv) {
  testing::AddGlobalTestEnvironment(new CountingEnvironment);
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new CountingListener);
  return RUN_ALL_TESTS();
}
