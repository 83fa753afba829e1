// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A singleton that the fixture resets before each test.
#include <gtest/gtest.h>

class Settings {
 public:
  static Settings& instance() {
    static Settings settings;
    return settings;
  }
  void reset() { level = 1; }
  int level = 1;
};

class SettingsTest : public testing::Test {
 protected:
  void SetUp() override { Settings::instance().reset(); }
};

TEST_F(SettingsTest, DefaultLevel) {
  EXPECT_EQ(Settings::instance().level, 1);
}

TEST_F(SettingsTest, LevelCanBeRaised) {
  Settings::instance().level = 9;
  EXPECT_EQ(Settings::instance().level, 9);
}

TEST_F(SettingsTest, LevelCanBeLowered) {
  --Settings::instance().level;
  EXPECT_EQ(Settings::instance().level, 0);
}
