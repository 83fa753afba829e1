// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "settings.h"

#include <gtest/gtest.h>

TEST(SettingsTest, AreQuiet) {
  EXPECT_EQ(Settings::instance().verbosity(), 1);
}

TEST(SettingsTest, InstanceIsUnique) {
  EXPECT_EQ(&Settings::instance(), &Settings::instance());
}

TEST(SettingsTest, VerbosityCanBeRaised) {
  Settings::instance().set_verbosity(3);
  EXPECT_GT(Settings::instance().verbosity(), 2);
}
