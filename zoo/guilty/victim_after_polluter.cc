// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The polluter stands first in the source: the victim fails in the default order, and passes alone.
#include <gtest/gtest.h>

#include <string>

std::string g_user = "nobody";

TEST(Login, RemembersUser) {
  g_user = "alice";  // WRITE
  EXPECT_EQ(g_user, "alice");
}

TEST(Login, NobodyAtFirst) {
  EXPECT_EQ(g_user, "nobody");  // READ
}

TEST(Login, UserIsNeverEmpty) {
  EXPECT_FALSE(g_user.empty());
}
