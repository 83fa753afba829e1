// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Two tests initialise what the third needs, but only one of them makes the object that it needs
// too: behind the other it fails at another check than alone, and is not its victim.
#include <gtest/gtest.h>

namespace {

struct Foo {};

bool g_initialised = false;
Foo* g_foo = nullptr;

void initialise() {
  if (!g_initialised) g_initialised = true;  // WRITE
}

TEST(Joint, T1Initialises) {
  initialise();
  EXPECT_TRUE(g_initialised);
}

TEST(Joint, T2InitialisesAndMakesFoo) {
  initialise();
  g_foo = new Foo;
  EXPECT_NE(g_foo, nullptr);
}

TEST(Joint, T3NeedsBoth) {
  ASSERT_TRUE(g_initialised);  // READ
  ASSERT_NE(g_foo, nullptr);
}

TEST(Joint, FooIsSmall) {
  EXPECT_EQ(sizeof(Foo), 1U);
}

}  // namespace
