// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test which cannot run twice in one process.
#include <gtest/gtest.h>

#include <set>
#include <string>

std::set<std::string> g_plugins;

bool install(const std::string& name) {
  return g_plugins.insert(name).second;  // WRITE READ
}

TEST(Plugins, CanBeInstalledOnce) {
  EXPECT_TRUE(install("png"));
}

TEST(Plugins, UnknownIsNotInstalled) {
  EXPECT_EQ(g_plugins.count("jpeg"), 0u);
}

TEST(Plugins, NamesAreCaseSensitive) {
  EXPECT_EQ(g_plugins.count("PNG"), 0u);
}
