// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Two suites share one resource; each makes sure of it for every test, so that they may interleave.
#include <gtest/gtest.h>

#include <memory>

std::unique_ptr<int> g_database;

class UsesDatabase : public testing::Test {
 protected:
  void SetUp() override {
    if (g_database == nullptr) g_database = std::make_unique<int>(1);
  }
};

class Reader : public UsesDatabase {};
class Writer : public UsesDatabase {
 protected:
  void TearDown() override { g_database.reset(); }
};

TEST_F(Reader, ReadsOne) {
  EXPECT_EQ(*g_database, 1);
}

TEST_F(Writer, WritesTwo) {
  *g_database = 2;
  EXPECT_EQ(*g_database, 2);
}

TEST_F(Reader, ReadsOneAgain) {
  EXPECT_EQ(*g_database, 1);
}

TEST_F(Writer, WritesThree) {
  *g_database = 3;
  EXPECT_EQ(*g_database, 3);
}
