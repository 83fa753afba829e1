// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The name of the process is changed through a file of the kernel.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <string>

std::string name() {
  char text[16] = {};
  prctl(PR_GET_NAME, text);  // READ
  return text;
}

const std::string g_at_first = name();

TEST(Name, IsAsAtFirst) {
  EXPECT_EQ(name(), g_at_first);
}

TEST(Name, IsNotEmpty) {
  EXPECT_FALSE(name().empty());
}

TEST(Name, CanBeWritten) {
  const int file = open("/proc/self/comm", O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(write(file, "another", 7), 7);  // WRITE
  close(file);
}
