// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/reset_names.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TEST(ResetNames, TheLikelierTheHigher) {
  EXPECT_GT(reset_score("reset_for_test"), reset_score("clear"));
  EXPECT_GT(reset_score("clear"), reset_score("drop_all"));
  EXPECT_GT(reset_score("dropAll"), reset_score("shutdown"));
  EXPECT_GT(reset_score("shutdown"), 0);
  EXPECT_EQ(reset_score("drop"), 0);
  EXPECT_EQ(reset_score("get"), 0);
}

}  // namespace
}  // namespace gordian
