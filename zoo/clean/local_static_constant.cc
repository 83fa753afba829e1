// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A local static is initialised by whichever test comes first, always to the same value.
#include <gtest/gtest.h>

#include <string>

const std::string& greeting() {
  static const std::string text = std::string("hello, ") + "world";
  return text;
}

TEST(Greeting, HasTwelveLetters) {
  EXPECT_EQ(greeting().size(), 12u);
}

TEST(Greeting, StartsWithHello) {
  EXPECT_EQ(greeting().rfind("hello", 0), 0u);
}

TEST(Greeting, EndsWithWorld) {
  EXPECT_EQ(greeting().substr(7), "world");
}
