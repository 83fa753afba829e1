// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "wire/processes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <functional>
#include <thread>

namespace gordian {
namespace {

pid_t forked(const std::function<void()>& child) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    child();
    ::_exit(4);
  }
  return pid;
}

void ask_to_be_traced() {
  ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
}

/// How the child ended, once it has.
int end_of(pid_t pid) {
  gordian_wire::await_end(pid);
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, WNOHANG), pid) << "it has not ended, or was collected";
  return status;
}

TEST(AwaitEnd, OfAChildThatNobodyTraces) {
  EXPECT_EQ(WEXITSTATUS(end_of(forked([] {}))), 4);
}

TEST(AwaitEnd, OfSomebodyWhoIsNoChildIsNotWaitedFor) {
  const pid_t sleeper = forked([] { ::pause(); });
  gordian_wire::await_end(::getpid());
  ::kill(sleeper, SIGKILL);
  EXPECT_EQ(WTERMSIG(end_of(sleeper)), SIGKILL);
}

TEST(AwaitEnd, SignalsReachAChildThatMadeUsItsTracer) {
  const pid_t handles = forked([] {
    static volatile sig_atomic_t seen = 0;
    ::signal(SIGUSR1, [](int) { seen = 1; });
    ask_to_be_traced();
    ::raise(SIGUSR1);
    ::_exit(seen == 1 ? 7 : 8);
  });
  EXPECT_EQ(WEXITSTATUS(end_of(handles)), 7);
  const pid_t dies = forked([] {
    ask_to_be_traced();
    ::raise(SIGUSR1);
  });
  const int status = end_of(dies);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGUSR1);
}

TEST(AwaitEnd, TheTrapOfAnExecIsNotPassedOn) {
  const pid_t pid = forked([] {
    ask_to_be_traced();
    ::execl("/bin/true", "true", nullptr);
  });
  EXPECT_EQ(end_of(pid), 0);
}

void thread_asks_to_be_traced() {
  std::thread(ask_to_be_traced).join();
}

TEST(AwaitEnd, AThreadThatMadeUsItsTracerDoesNotKeepItsProcess) {
  EXPECT_EQ(WEXITSTATUS(end_of(forked(thread_asks_to_be_traced))), 4);
}

TEST(AwaitEnd, NorDoesItBesideAChildThatIsLeftToOthers) {
  const pid_t other = forked([] {});
  siginfo_t ended;
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(other), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(WEXITSTATUS(end_of(forked(thread_asks_to_be_traced))), 4);
  EXPECT_EQ(WEXITSTATUS(end_of(other)), 4);
}

}  // namespace
}  // namespace gordian
