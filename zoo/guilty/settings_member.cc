// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One member of a nested global structure carries the dependence; its neighbours do not.
#include <gtest/gtest.h>

struct Network {
  int timeout = 30;
  int retries = 3;
};

struct AppSettings {
  int windows = 1;
  Network net;
} g_settings;

TEST(App, RetriesThreeTimes) {
  EXPECT_EQ(g_settings.net.retries, 3);  // READ
}

TEST(App, TimeoutIsThirty) {
  EXPECT_EQ(g_settings.net.timeout, 30);
}

TEST(App, RetriesCanBeSwitchedOff) {
  g_settings.net.retries = 0;  // WRITE
  EXPECT_EQ(g_settings.net.retries, 0);
}

TEST(App, WindowsCanBeOpened) {
  ++g_settings.windows;
  EXPECT_GT(g_settings.windows, 1);
}
