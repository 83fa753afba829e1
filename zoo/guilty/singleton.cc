// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A Meyers singleton whose setting outlives the test that changed it.
#include <gtest/gtest.h>

class Settings {
 public:
  static Settings& instance() {
    static Settings settings;
    return settings;
  }
  int verbosity() const {
    return verbosity_;  // READ
  }
  void set_verbosity(int level) {
    verbosity_ = level;  // WRITE
  }

 private:
  int verbosity_ = 1;
};

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
