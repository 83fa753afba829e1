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

inline long raw(long number) {
  return gordian_raw_syscall(number, 0, 0, 0, 0, 0, 0);
}
template <class A>
long raw(long number, A a) {
  return gordian_raw_syscall(number, (long)a, 0, 0, 0, 0, 0);
}
template <class A, class B>
long raw(long number, A a, B b) {
  return gordian_raw_syscall(number, (long)a, (long)b, 0, 0, 0, 0);
}
template <class A, class B, class C>
long raw(long number, A a, B b, C c) {
  return gordian_raw_syscall(number, (long)a, (long)b, (long)c, 0, 0, 0);
}
template <class A, class B, class C, class D>
long raw(long number, A a, B b, C c, D d) {
  return gordian_raw_syscall(number, (long)a, (long)b, (long)c, (long)d, 0, 0);
}
template <class A, class B, class C, class D, class E, class F>
long raw(long number, A a, B b, C c, D d, E e, F f) {
  return gordian_raw_syscall(number, (long)a, (long)b, (long)c, (long)d, (long)e, (long)f);
}

}  // namespace gordian_agent
