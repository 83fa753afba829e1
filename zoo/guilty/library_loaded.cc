// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A library is loaded and never closed.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <fstream>
#include <string>

bool is_mapped(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(name) != std::string::npos) return true;
  }
  return false;
}

TEST(Library, IsNotThere) {
  EXPECT_EQ(dlopen("libresolv.so.2", RTLD_NOW | RTLD_NOLOAD), nullptr);
  EXPECT_FALSE(is_mapped("libresolv"));  // READ
}

TEST(Library, LibcIsThere) {
  EXPECT_TRUE(is_mapped("libc"));
}

TEST(Library, CanBeLoaded) {
  EXPECT_NE(dlopen("libresolv.so.2", RTLD_NOW), nullptr);  // WRITE
}
