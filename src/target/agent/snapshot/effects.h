// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a system call may leave changed in the kernel's part of the process. The gate collects these
// while a test runs; at the end only what they name is compared and put back.
#pragma once

#include <signal.h>
#include <stdint.h>

#include "wire/protocol.h"

namespace gordian_agent {

enum Effect : uint32_t {
  kNoEffect = 0,
  kDescriptors = 1 << 0,  // opened, closed, replaced, moved in
  kMappings = 1 << 1,
  kHeapEnd = 1 << 2,  // brk
  kSignals = 1 << 3,  // handlers, mask, alternate stack, pending
  kDirectory = 1 << 4,
  kUmask = 1 << 5,
  kTimers = 1 << 6,
  kLimits = 1 << 7,
  kName = 1 << 8,
  kFiles = 1 << 9,     // something was created, changed or removed by name
  kThreads = 1 << 10,  // a thread ran: what it called was not seen
  kEmptied = 1 << 11   // pages of the snapshot were given back to the kernel
};
const uint32_t kEverything = kEmptied * 2 - 1;
static_assert(kEverything == (1u << gordian_wire::kEffectCount) - 1, "the engine names these bits");

/// Why a process cannot be put back; the reasons are the protocol's, for the engine to tell.
typedef gordian_wire::Obstacle Obstacle;

/// struct sigaction as the kernel takes it on x86-64.
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
