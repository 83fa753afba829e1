// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The layout of an unordered container depends on history; the tests only ask for its contents.
#include <gtest/gtest.h>

#include <string>
#include <unordered_set>

std::unordered_set<std::string> g_words;

bool add_and_find(const std::string& word) {
  g_words.insert(word);
  return g_words.count(word) == 1;
}

TEST(Words, Apple) {
  EXPECT_TRUE(add_and_find("apple"));
}

TEST(Words, Pear) {
  EXPECT_TRUE(add_and_find("pear"));
}

TEST(Words, ManyGrowTheTable) {
  for (int i = 0; i < 100; ++i) g_words.insert("word" + std::to_string(i));
  EXPECT_TRUE(add_and_find("word7"));
}
