// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A gmock flag changed in a test: the framework restores its own flags, but not those of gmock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

TEST(Verbosity, IsWarningByDefault) {
  EXPECT_EQ(GMOCK_FLAG_GET(verbose), "warning");  // READ
}

TEST(Verbosity, CanBeLowered) {
  GMOCK_FLAG_SET(verbose, "error");  // WRITE
  EXPECT_EQ(GMOCK_FLAG_GET(verbose), "error");
}

TEST(Verbosity, IsNeverEmpty) {
  EXPECT_FALSE(GMOCK_FLAG_GET(verbose).empty());
}
