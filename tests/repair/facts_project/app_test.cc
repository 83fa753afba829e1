// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "app.h"

#define CASE(name) TEST(Made, name)
#define WHOLE(name)     \
  TEST(Whole, name) {   \
    app::verbosity = 9; \
  }

TEST(App, ReadsOnly) {
  EXPECT_EQ(app::verbosity, 2);
  EXPECT_EQ(app::Cache::get().size(), 0u);
  for (char c : app::prefix) EXPECT_NE(c, 0);
}

TEST(App, Writes) {
  app::set_verbosity(3);
  app::prefix += "more";  // a comment
  app::Cache::get().put(1);
  auto& cache = app::Cache::get();
  const int level = app::verbosity;
  cache.put(level);
  app::profile()->limit = 3;
  app::Session::open();
  ++app::Pool<int>::used;
  EXPECT_GT(app::warn(), 0) << "with a message";
}

class Loud : public testing::Test {
 protected:
  void SetUp() override { app::verbosity = 5; }
};

TEST_F(Loud, HasAFixture) {
  EXPECT_EQ(app::verbosity, 5);
}

template <class T>
class Typed : public testing::Test {};
using Kinds = testing::Types<int, char>;
TYPED_TEST_SUITE(Typed, Kinds);
TYPED_TEST(Typed, UsesItsType) {
  app::Pool<TypeParam>::used = 1;
}

CASE(ByAMacro) {
  app::prefix.clear();
}

WHOLE(InAMacro)
