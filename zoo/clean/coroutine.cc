// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Code on small stacks of its own makes system calls.
#include <gtest/gtest.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

ucontext_t g_main, g_inner;
int g_steps = 0;

void body() {
  g_steps += getppid() > 0;
  swapcontext(&g_inner, &g_main);
  g_steps += access("/", F_OK) == 0;
}

/// Bytes below the stack: whoever writes them has overrun it.
void run_on(std::size_t size) {
  std::vector<unsigned char> memory(size + 16384, 0xab);
  getcontext(&g_inner);
  g_inner.uc_stack.ss_sp = memory.data() + 16384;
  g_inner.uc_stack.ss_size = size;
  g_inner.uc_link = &g_main;
  makecontext(&g_inner, body, 0);
  g_steps = 0;
  swapcontext(&g_main, &g_inner);
  swapcontext(&g_main, &g_inner);
  EXPECT_EQ(g_steps, 2);
  for (int i = 0; i < 16384; ++i) ASSERT_EQ(memory[i], 0xab) << i;
}

TEST(Coroutine, OnSixteenKilobytes) {
  run_on(16384);
}

TEST(Coroutine, OnThirtyTwoKilobytes) {
  run_on(32768);
}

TEST(Coroutine, OnEightKilobytes) {
  run_on(8192);
}
