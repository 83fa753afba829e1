// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Exceptions leave two tests: stable failures, caught by the framework.
#include <gtest/gtest.h>

#include <stdexcept>

TEST(Throws, StandardException) {
  throw std::runtime_error("expected");
}

TEST(Throws, SomethingElse) {
  throw 42;
}

TEST(Throws, Caught) {
  EXPECT_THROW(throw std::logic_error("caught"), std::logic_error);
}

TEST(Throws, Nothing) {
  EXPECT_NO_THROW({ [[maybe_unused]] const int value = 1; });
}
