// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test survives the overflow of its stack by a handler on an alternate stack.
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>

sigjmp_buf g_escape;
char g_stack[65536];

void on_fault(int) {
  siglongjmp(g_escape, 1);
}

int endless(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth < 0 ? frame[0] : endless(depth + 1) + frame[0];
}

bool overflows() {
  stack_t own{}, before{};
  own.ss_sp = g_stack;
  own.ss_size = sizeof g_stack;
  sigaltstack(&own, &before);
  struct sigaction action {
  }, old{};
  action.sa_handler = on_fault;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, &old);
  bool caught = sigsetjmp(g_escape, 1) != 0;
  if (!caught) endless(0);
  sigaction(SIGSEGV, &old, nullptr);
  sigaltstack(&before, nullptr);
  return caught;
}

TEST(Overflow, IsCaught) {
  EXPECT_TRUE(overflows());
}

TEST(Overflow, IsCaughtAgain) {
  EXPECT_TRUE(overflows());
}

TEST(Overflow, IsNotNeeded) {
  EXPECT_EQ(endless(-1), -1);
}
