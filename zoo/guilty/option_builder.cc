// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A default that only reset() sets: tests that rely on it hide the fault as long as another one has
// called it.
#include <gtest/gtest.h>

#include <string>

namespace {

struct Option {
  std::string name, arg_name;
};

class OptionBuilder {
 public:
  static void reset() {
    arg_name = "arg";  // WRITE
  }
  static Option create(const std::string& name) {
    Option option;
    option.name = name;
    option.arg_name = arg_name;  // READ
    return option;
  }

 private:
  static std::string arg_name;
};

std::string OptionBuilder::arg_name;

TEST(OptionBuilderTest, ResetSetsTheDefault) {
  OptionBuilder::reset();
  EXPECT_EQ(OptionBuilder::create("a").name, "a");
}

TEST(BugsTest, HelpNamesTheArgument) {
  const Option dir = OptionBuilder::create("dir");
  EXPECT_EQ("-" + dir.name + " <" + dir.arg_name + ">", "-dir <arg>");
}

TEST(BugsTest, UsageNamesTheArgument) {
  EXPECT_EQ(OptionBuilder::create("file").arg_name, "arg");
}

TEST(BugsTest, OptionsKeepTheirNames) {
  EXPECT_EQ(OptionBuilder::create("x").name, "x");
}

}  // namespace
