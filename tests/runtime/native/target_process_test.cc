// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A real program that stands before its first test, and what others do to its guard.
#include "runtime/native/target_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "runtime/native/children.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class Guarded : public ScratchDir {
 protected:
  void SetUp() override {
    target_.binary = std::filesystem::path(GORDIAN_ZOO_BINARIES) / "clean" / "singleton_reset";
    target_.working_dir = dir_;
    auto inspection = inspect(target_);
    ASSERT_TRUE(inspection) << inspection.error().message;
    ExecutorOptions options;
    options.private_fs = false;
    auto opened = Executor::open(target_, inspection->elf, inspection->framework, options);
    ASSERT_TRUE(opened) << opened.error().message;
    executor_ = std::move(*opened);
    auto process = executor_->take_process();
    ASSERT_TRUE(process) << process.error().message;
    process_ = std::move(*process);
  }

  Target target_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<TargetProcess> process_;
};

TEST_F(Guarded, AStoppedGuardHearsThatItIsToEnd) {
  const pid_t program = process_->pid();
  ASSERT_EQ(::kill(process_->guard(), SIGSTOP), 0);
  process_->kill();
  EXPECT_EQ(process_->state(), TargetProcess::State::gone);
  EXPECT_FALSE(process_->vanished());
  EXPECT_FALSE(is_alive(program));
}

TEST_F(Guarded, AGuardThatWasEndedIsNoticedAndWhatItGuardedIsEnded) {
  const pid_t program = process_->pid();
  ASSERT_EQ(::kill(process_->guard(), SIGKILL), 0);
  for (const auto end = Clock::now() + 30s; Clock::now() < end;) {
    process_->pump();
    if (process_->state() == TargetProcess::State::gone) break;
    ::poll(nullptr, 0, 5);
  }
  ASSERT_EQ(process_->state(), TargetProcess::State::gone);
  EXPECT_TRUE(process_->vanished());
  EXPECT_FALSE(is_alive(program));
}

}  // namespace
}  // namespace gordian
