// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <string>
#include <vector>

class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  void add(const std::string& name) { names_.push_back(name); }
  bool is_empty() const { return names_.empty(); }
  void reset() { names_.clear(); }

 private:
  std::vector<std::string> names_;
};

TEST(RegistryTest, StartsEmpty) {
  EXPECT_TRUE(Registry::instance().is_empty());
}

TEST(RegistryTest, TakesNames) {
  Registry::instance().add("http");
  EXPECT_FALSE(Registry::instance().is_empty());
}
