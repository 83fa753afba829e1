// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A page is locked into memory.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <fstream>
#include <string>

alignas(4096) char g_page[4096];

std::string locked() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmLck:", 0) == 0) return line;
  }
  return "";
}

const std::string g_at_first = locked();

TEST(Locked, IsAsAtFirst) {
  EXPECT_EQ(locked(), g_at_first);  // READ
}

TEST(Locked, CanBeTold) {
  EXPECT_NE(locked(), "");
}

TEST(Locked, PageCanBeLocked) {
  EXPECT_EQ(mlock(g_page, sizeof g_page), 0);  // WRITE
}
