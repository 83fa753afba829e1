// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An exception meets a noexcept function; std::terminate ends the process.
#include <gtest/gtest.h>

#include <stdexcept>

void thrower() {
  throw std::runtime_error("nobody may catch this");
}

void promise() noexcept {
  thrower();
}

TEST(Hostile, BreaksItsPromise) {
  promise();
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
