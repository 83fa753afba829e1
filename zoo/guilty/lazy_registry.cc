// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A registry made at its first use: the tests that change one member of it make it, too.
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
  int level() const {
    return level_;  // READ
  }
  void set_level(int level) {
    ++changes_;
    level_ = level;  // WRITE
  }
  int take_ticket() {
    return tickets_++;  // TICKET
  }

 private:
  Registry() : names_{"the first of all the names that this registry knows"} {}

  std::vector<std::string> names_;
  int changes_ = 0;
  int level_ = 2;
  int tickets_ = 100;
};

TEST(RegistryTest, LevelIsTwoAtFirst) {
  EXPECT_EQ(Registry::instance().level(), 2);
}

TEST(RegistryTest, KnowsAName) {
  EXPECT_FALSE(Registry::instance().first_name().empty());
}

TEST(RegistryTest, LevelCanBeRaised) {
  Registry::instance().set_level(5);
  EXPECT_EQ(Registry::instance().level(), 5);
}

TEST(RegistryTest, FirstTicketIsRound) {
  EXPECT_EQ(Registry::instance().take_ticket(), 100);
}
