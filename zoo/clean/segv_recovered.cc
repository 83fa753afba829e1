// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test survives an invalid access by a handler of its own that jumps out.
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

sigjmp_buf g_escape;
alignas(16) char g_stack[65536];

void on_fault(int) {
  siglongjmp(g_escape, 1);
}

bool faults(volatile char* at) {
  struct sigaction own {
  }, before{};
  own.sa_handler = on_fault;
  sigaction(SIGSEGV, &own, &before);
  bool fault = true;
  if (sigsetjmp(g_escape, 1) == 0) {
    *at = 1;
    fault = false;
  }
  sigaction(SIGSEGV, &before, nullptr);
  return fault;
}

TEST(Fault, IsCaught) {
  EXPECT_TRUE(faults(nullptr));
}

TEST(Fault, IsCaughtAgain) {
  EXPECT_TRUE(faults(nullptr));
}

TEST(Fault, DoesNotHappen) {
  char byte = 0;
  EXPECT_FALSE(faults(&byte));
}
