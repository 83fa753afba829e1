// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Noisy tests, with lines that look like the framework's own.
#include <gtest/gtest.h>

#include <cstdio>

void chatter(const char* word) {
  for (int i = 0; i < 20000; ++i) std::printf("%s %d\n", word, i);
  std::printf("no newline at the end");
}

TEST(Noise, Loud) {
  chatter("la la");
  SUCCEED();
}

TEST(Noise, Imitates) {
  std::printf("[  FAILED  ] Noise.Loud (0 ms)\n[ RUN      ] Noise.Nobody\n");
  SUCCEED();
}

TEST(Noise, ToTheErrorStream) {
  std::fprintf(stderr, "error: all is well\n");
  SUCCEED();
}
