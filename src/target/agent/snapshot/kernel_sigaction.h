// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// struct sigaction as the kernel takes it on x86-64.
#pragma once

#include <signal.h>
#include <stdint.h>

namespace gordian_agent {

struct KernelSigaction {
  uint64_t handler, flags, restorer, mask;
};
const uint64_t kSaRestorer = 0x04000000;
const uint64_t kSigsysBit = 1ull << (SIGSYS - 1);

/// Each system call that the gate sees leaves a signal frame on the stack it was made on. A handler
/// that has a stack for itself must not find them there: it may be small, and its test may measure
/// what is used of it.
inline bool has_own_stack(const KernelSigaction& action) {
  return action.handler > 1 && (action.flags & SA_ONSTACK);
}

/// Frameworks and crash reporters handle these on a stack of their own, for all tests, and with the
/// handler a test is over. One that sends itself such a signal is another matter.
inline bool is_of_crashes(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
         number == SIGABRT || number == SIGTRAP || number == SIGTERM || number == SIGINT ||
         number == SIGQUIT;
}

}  // namespace gordian_agent
