// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/watchdog.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <optional>

#include "runtime/native/children.h"
#include "tests/runtime/native/played_agent.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::uint64_t monotonic_ns(std::chrono::nanoseconds ago = 0ns) {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(t.tv_nsec) - static_cast<std::uint64_t>(ago.count());
}

char state_of(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  const std::string text((std::istreambuf_iterator<char>(stat)), {});
  const auto name_end = text.rfind(')');
  return name_end == std::string::npos ? 'X' : text.at(name_end + 2);
}

bool in_time(const std::function<bool()>& condition) {
  for (const auto end = Clock::now() + 30s; Clock::now() < end; ::usleep(2000)) {
    if (condition()) return true;
  }
  return false;
}

/// A guard that notices nothing, with one child: the process of a test.
class Watched : public PlayedAgent {
 protected:
  Watched() {
    load(Plan::in_process({TestId{0}, TestId{1}, TestId{2}}));
    limits_.test_timeout = 20ms;
  }
  ~Watched() override {
    if (guard_ <= 0) return;
    kill_descendant(test_, guard_);
    ::kill(guard_, SIGKILL);
    ::waitpid(guard_, nullptr, 0);
    unregister_child(guard_);
    end_orphans();
  }

  void start(void (*test)()) {
    adopt_orphans();
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    guard_ = ::fork();
    if (guard_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const pid_t child = ::fork();
      if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        test();
        ::_exit(0);
      }
      if (::write(ends[1], &child, sizeof child) != sizeof child) ::_exit(1);
      for (;;) ::pause();
    }
    register_child(guard_);
    ASSERT_EQ(::read(ends[0], &test_, sizeof test_), static_cast<ssize_t>(sizeof test_));
    ::close(ends[0]);
    ::close(ends[1]);
    watchdog_.emplace(memory_, guard_, plan_, decoder_, limits_, 20ms);
  }
  static void waits() { ::pause(); }
  static void ends() {}
  static void stops() { ::raise(SIGSTOP); }

  /// As the agent says what it does.
  void say(std::uint32_t token, std::uint64_t since_ns) {
    gordian_wire::WorkerState& state = memory_.report().worker[0];
    state.pid = static_cast<std::uint32_t>(test_);
    state.slot = token;
    state.since_ns = since_ns;
    state.check = check_of(state, 0, memory_.header().nonce);
  }
  /// What the engine asks about twenty times a second.
  bool stuck() {
    watchdog_->check();
    return watchdog_->stuck();
  }

  pid_t guard_ = -1, test_ = -1;
  Limits limits_;
  Decoder decoder_{memory_, plan_};
  std::optional<Watchdog> watchdog_;
};

TEST_F(Watched, ATestThatTakesTooLongIsEnded) {
  start(waits);
  set(0, gordian_wire::kRunning);
  say(0, monotonic_ns(1s));
  watchdog_->check();
  EXPECT_TRUE(in_time([this] { return !is_alive(test_); }));
  EXPECT_EQ(decoder_.result(0, gone(SIGKILL))->outcome.kind, OutcomeKind::timeout);
}

TEST_F(Watched, ATestThatEndedAndThatNobodyTakesNoteOfIsNoReasonToWaitForEver) {
  start(ends);
  set(0, gordian_wire::kPass);
  say(0, monotonic_ns(1s));
  ASSERT_TRUE(in_time([this] { return state_of(test_) == 'Z'; }));
  EXPECT_TRUE(in_time([this] { return stuck(); }));
  set(1, gordian_wire::kStarting);
  EXPECT_EQ(decoder_.result(0, gone(SIGKILL))->outcome.kind, OutcomeKind::pass)
      << "it had come to its end";
}

TEST_F(Watched, AProcessThatCannotBeEndedIsNoReasonEither) {
  start(waits);
  say(0, monotonic_ns(1s));
  EXPECT_TRUE(in_time([this] { return stuck(); })) << "its parent does not notice that it is dead";
}

TEST_F(Watched, WhatMakesNoSenseIsNoSignOfLife) {
  start(waits);
  std::uint32_t noise = 1;
  EXPECT_TRUE(in_time([&] {
    memory_.report().worker[0].since_ns = noise;
    memory_.report().worker[0].pid = noise++;
    return stuck();
  }));
}

TEST_F(Watched, ATestThatAlwaysBeginsAnewIsEndedAllTheSame) {
  start(waits);
  EXPECT_TRUE(in_time([this] {
    say(0, monotonic_ns());
    watchdog_->check();
    return !is_alive(test_);
  }));
}

TEST_F(Watched, WhoeverComesToSomethingNewGetsNewTime) {
  limits_.test_timeout = 1s;
  start(waits);
  for (std::uint32_t token = 0; token < 3; ++token) {
    say(token, monotonic_ns());
    EXPECT_FALSE(stuck());
  }
  EXPECT_TRUE(is_alive(test_));
}

TEST_F(Watched, WhomATestHasStoppedAboveItGoesOn) {
  limits_.test_timeout = 1h;
  start(waits);
  ASSERT_EQ(::kill(guard_, SIGSTOP), 0);
  ASSERT_TRUE(in_time([this] { return state_of(guard_) == 'T'; }));
  say(0, monotonic_ns(2s));
  EXPECT_TRUE(in_time([this] {
    watchdog_->check();
    return state_of(guard_) != 'T';
  }));
}

TEST_F(Watched, WhoWasStoppedBetweenTwoTestsGoesOn) {
  limits_.test_timeout = 1h;
  start(waits);
  ASSERT_EQ(::kill(guard_, SIGSTOP), 0);
  ASSERT_TRUE(in_time([this] { return state_of(guard_) == 'T'; }));
  EXPECT_TRUE(in_time([this] {
    watchdog_->check();
    return state_of(guard_) != 'T';
  }));
}

TEST_F(Watched, ATestThatStopsItselfStaysSo) {
  limits_.test_timeout = 1h;
  start(stops);
  ASSERT_TRUE(in_time([this] { return state_of(test_) == 'T'; }));
  say(0, monotonic_ns(2s));
  watchdog_->check();
  EXPECT_EQ(state_of(test_), 'T');
}

}  // namespace
}  // namespace gordian
