// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A character is pushed back into a stream and never read.
#include <gtest/gtest.h>
#include <cstdio>

TEST(Input, IsEmpty) {
  EXPECT_EQ(std::getc(stdin), EOF);  // READ
  std::clearerr(stdin);
}

TEST(Input, HasADescriptor) {
  EXPECT_EQ(fileno(stdin), 0);
}

TEST(Input, TakesACharacterBack) {
  EXPECT_EQ(std::ungetc('x', stdin), 'x');  // WRITE
}
