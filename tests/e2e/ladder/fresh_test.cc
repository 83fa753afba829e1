// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <memory>
#include <mutex>

struct Storage {
  std::mutex mutex;
  int used = 0;
};

std::unique_ptr<Storage> g_storage = std::make_unique<Storage>();

TEST(StorageTest, IsUnused) {
  EXPECT_EQ(g_storage->used, 0);
}

TEST(StorageTest, CanBeUsed) {
  g_storage->used = 7;
  EXPECT_EQ(g_storage->used, 7);
}
