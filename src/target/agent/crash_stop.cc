// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Only for the repeat of a run that crashed: the first run has no handlers of ours, so that nothing
// a test can observe differs. The stopped process is unwound from outside.
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "target/agent/agent.h"

namespace gordian_agent {
namespace {

const int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
uint32_t watched_worker;

/// Waits for the engine (at most ten seconds), then dies of the same signal by default action.
void hold_still(int signal_number) {
  struct sigaction plain;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigaction(signal_number, &plain, nullptr);
  if (owner()) {
    uint32_t* crashed = &report->worker[watched_worker].crashed;
    __atomic_store_n(crashed, (uint32_t)signal_number, __ATOMIC_RELEASE);
    for (int ms = 0; ms < 10000 && __atomic_load_n(crashed, __ATOMIC_ACQUIRE); ++ms) {
      struct timespec pause = {0, 1000000};
      nanosleep(&pause, nullptr);
    }
  }
  kill(getpid(), signal_number);  // blocked now, delivered when this handler returns
}

}  // namespace

void stop_on_crash(uint32_t worker) {
  watched_worker = worker;
  const size_t kStack = 64 * 1024;
  stack_t stack, users;
  memset(&stack, 0, sizeof stack);
  if (sigaltstack(nullptr, &users) == 0 && (users.ss_flags & SS_DISABLE)) {
    stack.ss_sp = agent_memory(kStack);
    stack.ss_size = kStack;
    sigaltstack(&stack, nullptr);
  }
  for (int number : kFatal) {
    struct sigaction old, ours;
    if (sigaction(number, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) continue;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = hold_still;
    ours.sa_flags = SA_ONSTACK;
    sigaction(number, &ours, nullptr);
  }
}

}  // namespace gordian_agent
