// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A registry made at its first use, by whichever test comes first; what is changed is put back.
#include <gtest/gtest.h>

#include <string>
#include <vector>

class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  const std::string& first_name() const { return names_.front(); }
  int level() const { return level_; }
  void set_level(int level) {
    ++changes_;
    level_ = level;
  }

 private:
  Registry() : names_{"the first of all the names that this registry knows"} {}

  std::vector<std::string> names_;
  int changes_ = 0;
  int level_ = 2;
};

TEST(RegistryTest, LevelIsTwoAtFirst) {
  EXPECT_EQ(Registry::instance().level(), 2);
}

TEST(RegistryTest, KnowsAName) {
  EXPECT_FALSE(Registry::instance().first_name().empty());
}

TEST(RegistryTest, LevelCanBeRaisedForAWhile) {
  const int before = Registry::instance().level();
  Registry::instance().set_level(5);
  EXPECT_EQ(Registry::instance().level(), 5);
  Registry::instance().set_level(before);
}
