// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A file is opened before the tests; its offset is shared by all processes forked afterwards.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

int g_file = -1;

std::string next_word() {
  char word[4];
  const ssize_t count = read(g_file, word, sizeof word);  // WRITE READ
  return std::string(word, count > 0 ? static_cast<std::size_t>(count) : 0);
}

TEST(Words, FirstReader) {
  EXPECT_EQ(next_word(), "one ");
}

TEST(Words, SecondReader) {
  EXPECT_EQ(next_word(), "one ");
}

TEST(Words, NonReader) {
  EXPECT_GE(g_file, 0);
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  auto path = (std::filesystem::temp_directory_path() / "gordian_zoo_words_XXXXXX").string();
  g_file = mkstemp(path.data());
  unlink(path.c_str());
  if (write(g_file, "one two six ", 12) != 12 || lseek(g_file, 0, SEEK_SET) != 0) return 9;
  return RUN_ALL_TESTS();
}
