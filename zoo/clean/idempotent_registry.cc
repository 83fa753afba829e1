// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The registry is a set: adding a name twice is the same as adding it once.
#include <gtest/gtest.h>

#include <set>
#include <string>

std::set<std::string> g_codecs;

TEST(Codecs, AddedCodecIsThereOnce) {
  g_codecs.insert("json");
  EXPECT_EQ(g_codecs.count("json"), 1u);
}

TEST(Codecs, AddedTwiceIsThereOnce) {
  g_codecs.insert("json");
  g_codecs.insert("json");
  EXPECT_EQ(g_codecs.count("json"), 1u);
}

TEST(Codecs, OthersAreUnknown) {
  EXPECT_EQ(g_codecs.count("xml"), 0u);
}
