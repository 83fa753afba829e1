// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/function_names.h"

#include <gmock/gmock.h>
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

using ::testing::Contains;
using ::testing::ElementsAre;

TEST(PropertyNames, OfSettersInEachStyle) {
  EXPECT_THAT(getter_names("set_level"), ElementsAre("level", "get_level", "is_level"));
  EXPECT_THAT(getter_names("setLevel"), Contains("level"));
  EXPECT_THAT(getter_names("setLevel"), Contains("getLevel"));
  EXPECT_THAT(getter_names("SetLevel"), Contains("GetLevel"));
  EXPECT_THAT(getter_names("SetLevel"), Contains("Level"));
}

TEST(PropertyNames, AnOverloadReadsWhatItSets) {
  EXPECT_THAT(getter_names("level"), ElementsAre("level"));
  EXPECT_THAT(getter_names("settle"), ElementsAre("settle"));
  EXPECT_THAT(getter_names("set"), ElementsAre("set"));
}

TEST(PropertyNames, OfWhatIsSet) {
  EXPECT_EQ(property_name("set_log_level"), "log_level");
  EXPECT_EQ(property_name("SetLevel"), "Level");
  EXPECT_EQ(property_name("level"), "level");
}

TEST(PropertyNames, FitVariablesWhateverTheirMarks) {
  EXPECT_EQ(property_fit("set_level", "level_"), 2);
  EXPECT_EQ(property_fit("SetDefaultLogger", "default_logger_"), 2);
  EXPECT_EQ(property_fit("setLevel", "m_level"), 2);
  EXPECT_EQ(property_fit("set_level", "global_log_level_"), 1);
  EXPECT_EQ(property_fit("set_level", "loggers_"), 0);
  EXPECT_EQ(property_fit("set_level", ""), 0);
}

}  // namespace

}  // namespace gordian
