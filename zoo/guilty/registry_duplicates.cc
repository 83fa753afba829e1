// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A registry accepts duplicates: the counting test is hurt by others and by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

std::vector<std::string> g_codecs;

void add_codec(const std::string& name) {
  g_codecs.push_back(name);  // WRITE
}

auto count_codec(const std::string& name) {
  return std::count(g_codecs.begin(), g_codecs.end(), name);  // READ
}

TEST(Codecs, AddedCodecIsThereOnce) {
  add_codec("json");
  EXPECT_EQ(count_codec("json"), 1);
}

TEST(Codecs, AddedCodecIsLast) {
  add_codec("json");
  EXPECT_EQ(g_codecs.back(), "json");
}

TEST(Codecs, OthersAreUnknown) {
  EXPECT_EQ(count_codec("xml"), 0);
}
