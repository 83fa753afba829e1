// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Holds the process before a chosen test and does there what the engine asks for. Everything that
// can be done from outside (reading and writing memory) is not here.

#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "target/agent/agent.h"

extern char** environ;

namespace gordian_agent {
namespace {

void wake(uint32_t* word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

void sleep_while(uint32_t* word, uint32_t value) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
    syscall(SYS_futex, word, FUTEX_WAIT, value, nullptr, nullptr, 0);
}

void enter_state(uint32_t state) {
  __atomic_store_n(&report->hold.state, state, __ATOMIC_RELEASE);
  wake(&report->hold.state);
}

int64_t system_call(const wire::HoldOrders& asked, char* text) {
  long argument[6];
  for (int i = 0; i < 6; ++i) {
    bool in_text = asked.in_text >> i & 1;
    argument[i] =
        in_text ? (long)(text + asked.argument[i] % wire::kHoldText) : (long)asked.argument[i];
  }
  long result = syscall((long)asked.number, argument[0], argument[1], argument[2], argument[3],
                        argument[4], argument[5]);
  return result == -1 ? -errno : result;
}

int64_t set_locale(const wire::HoldOrders& asked, char* text) {
  const char* now = setlocale((int)asked.number, text[0] ? text : nullptr);
  if (!now) return -EINVAL;
  strncpy(text, now, wire::kHoldText - 1);
  return 0;
}

struct StorageSearch {
  int64_t modules_left;
  uint64_t found;
};

int look_for_storage(struct dl_phdr_info* info, size_t, void* data) {
  StorageSearch* search = (StorageSearch*)data;
  if (search->modules_left-- > 0) return 0;
  search->found = (uint64_t)(uintptr_t)info->dlpi_tls_data;
  return 1;
}

int64_t thread_storage(int64_t module) {
  StorageSearch search = {module, 0};
  dl_iterate_phdr(look_for_storage, &search);
  return (int64_t)search.found;
}

int64_t float_control(const wire::HoldOrders& asked) {
  uint32_t mxcsr = 0, wanted = (uint32_t)asked.argument[1];
  uint16_t word = 0, wanted_word = (uint16_t)(asked.argument[1] >> 32);
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(word));
  if (asked.argument[0])
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(wanted), "m"(wanted_word));
  return (int64_t)((uint64_t)word << 32 | mxcsr);
}

int64_t answer(const wire::HoldOrders& asked, char* text) {
  memcpy(text, asked.text, wire::kHoldText);
  text[wire::kHoldText - 1] = 0;
  switch (asked.request) {
    case wire::kSystemCall:
      return system_call(asked, text);
    case wire::kSetVariable:
      return setenv(text, text + strlen(text) + 1, 1);
    case wire::kUnsetVariable:
      return unsetenv(text);
    case wire::kEnvironment:
      return (int64_t)(intptr_t)environ;
    case wire::kSetLocale:
      return set_locale(asked, text);
    case wire::kAllocate:
      return (int64_t)(intptr_t)malloc((size_t)asked.number);
    case wire::kThreadStorage:
      return thread_storage(asked.number);
    case wire::kFloatControl:
      return float_control(asked);
    default:
      return -ENOSYS;
  }
}

bool wanted(const uint32_t* tokens, int32_t token) {
  for (uint32_t i = 0; i < wire::kMostHolds; ++i) {
    if (tokens[i] == (uint32_t)token + 1) return true;
  }
  return false;
}

// Only for the repeat of a run that crashed: the first run has no handlers of ours, so that nothing
// a test can observe differs. The stopped process is unwound from outside.

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

void hold_at(int32_t token) {
  wire::HoldAnswer* hold = &report->hold;
  int tests_errno = errno;
  hold->pid = (uint32_t)getpid();
  hold->token = (uint32_t)token;
  uint32_t state = wire::kHeld;
  for (enter_state(state);;) {
    sleep_while(&hold->state, state);
    if (__atomic_load_n(&hold->state, __ATOMIC_ACQUIRE) == wire::kLetGo) break;
    hold->number = answer(header->hold, hold->text);
    enter_state(state = wire::kAnswered);
  }
  enter_state(wire::kNotHeld);
  errno = tests_errno;
}

void hold_before(int32_t token) {
  bool each = header->hold.every & wire::kHoldBeforeEach;
  if (each || wanted(header->hold.before, token)) hold_at(token);
}

void hold_inside(int32_t token) {
  if (wanted(header->hold.inside, token)) hold_at(token);
}

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
