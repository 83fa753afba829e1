// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/reset_names.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TEST(ResetNames, TheLikelierTheHigher) {
  EXPECT_GT(reset_score("reset_for_test"), reset_score("clear"));
  EXPECT_GT(reset_score("clear"), reset_score("drop_all"));
  EXPECT_GT(reset_score("dropAll"), reset_score("removeAll"));
  EXPECT_GT(reset_score("unregister_all"), 0);
  EXPECT_EQ(reset_score("drop"), 0);
  EXPECT_EQ(reset_score("get"), 0);
}

TEST(ResetNames, WhatEndsIsTheLastChoice) {
  EXPECT_GT(reset_score("shutdown"), 0);
  EXPECT_GT(reset_score("tear_down"), 0);
  EXPECT_LT(reset_score("Shutdown"), reset_score("cleanup"));
  EXPECT_LT(reset_score("shutdown"), reset_score("drop_all"));
}

TEST(ResetNames, WhatPassesThingsOnPutsNothingBack) {
  EXPECT_EQ(reset_score("flush"), 0);
  EXPECT_EQ(reset_score("flush_all"), 0);
  EXPECT_EQ(reset_score("flushEvery"), 0);
  EXPECT_GT(reset_score("clear_and_flush"), 0);
}

}  // namespace
}  // namespace gordian
