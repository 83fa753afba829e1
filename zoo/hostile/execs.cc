// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Replaces itself with another program.
#include <gtest/gtest.h>
#include <unistd.h>

TEST(Hostile, BecomesAnotherProgram) {
  execl("/bin/true", "true", static_cast<char*>(nullptr));
  FAIL() << "there is no /bin/true";
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
