// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every test initialises what it needs, and leaves it to the others, who do not rely on it.
#include <gtest/gtest.h>

namespace {

struct Foo {};

bool g_initialised = false;
Foo* g_foo = nullptr;

void initialise() {
  if (!g_initialised) g_initialised = true;
}

void make_foo() {
  if (g_foo == nullptr) g_foo = new Foo;
}

TEST(Joint, T1Initialises) {
  initialise();
  EXPECT_TRUE(g_initialised);
}

TEST(Joint, T2InitialisesAndMakesFoo) {
  initialise();
  make_foo();
  EXPECT_NE(g_foo, nullptr);
}

TEST(Joint, T3MakesSureOfBoth) {
  initialise();
  make_foo();
  ASSERT_TRUE(g_initialised);
  ASSERT_NE(g_foo, nullptr);
}

}  // namespace
