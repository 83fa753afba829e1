// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/cmake_text.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TEST(CmakeText, BracketsHoldAnything) {
  EXPECT_EQ(bracket_argument("a"), "[=[a]=]");
  EXPECT_EQ(bracket_argument("a]=]b"), "[==[a]=]b]==]");
  EXPECT_EQ(bracket_argument("a]="), "[==[a]=]==]");
}

TEST(CmakeText, AnElementMayHoldTheSignBetweenThem) {
  EXPECT_EQ(list_element("a;b"), "a\\;b");
}

}  // namespace
}  // namespace gordian
