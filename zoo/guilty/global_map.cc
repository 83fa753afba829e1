// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A global std::map: the victim looks up a key that another test has added.
#include <gtest/gtest.h>

#include <map>
#include <string>

std::map<std::string, std::string> g_aliases{{"ll", "ls -l"}};

std::string resolve(const std::string& command) {
  const auto found = g_aliases.find(command);  // READ
  return found == g_aliases.end() ? command : found->second;
}

TEST(Aliases, UnknownCommandStaysItself) {
  EXPECT_EQ(resolve("rm"), "rm");
}

TEST(Aliases, KnownCommandIsReplaced) {
  EXPECT_EQ(resolve("ll"), "ls -l");
}

TEST(Aliases, CanBeAdded) {
  g_aliases["rm"] = "rm -i";  // WRITE
  EXPECT_EQ(g_aliases.count("rm"), 1u);
}
