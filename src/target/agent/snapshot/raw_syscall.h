// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// System calls without libc: they leave errno alone (it lies in memory that is being rolled back)
// and their one instruction is the place that the syscall gate lets pass. Errors are negative.
#pragma once

#include <stdint.h>
#include <sys/syscall.h>

extern "C" {
long gordian_raw_syscall(long number, long a, long b, long c, long d, long e, long f);
/// What a signal handler of ours returns through: rt_sigreturn from inside the gate.
void gordian_raw_sigreturn();
/// Bounds of the code that may make system calls while the gate is shut.
extern const char gordian_gate_begin[], gordian_gate_end[];
}

namespace gordian_agent {

/// With up to six arguments.
template <class... Words>
long raw(long number, Words... words) {
  const long all[6] = {(long)words...};
  return gordian_raw_syscall(number, all[0], all[1], all[2], all[3], all[4], all[5]);
}

}  // namespace gordian_agent
