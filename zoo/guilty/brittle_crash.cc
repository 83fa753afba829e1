// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Alone the brittle test dereferences a pointer that nobody has set.
#include <gtest/gtest.h>

struct Engine {
  int power = 120;
};

Engine* g_engine = nullptr;

TEST(Car, GetsAnEngine) {
  g_engine = new Engine;  // WRITE
  EXPECT_NE(g_engine, nullptr);
}

TEST(Car, HasPower) {
  const volatile int& power = g_engine->power;  // READ
  EXPECT_EQ(power, 120);
}

TEST(Car, EngineIsSmall) {
  EXPECT_LE(sizeof(Engine), 8u);
}
