// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Each test makes the object that it uses, although all of them keep it in the same place.
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace {

struct DataSource {
  std::string short_name, clone_string;
};

std::unique_ptr<DataSource> g_data;

class DataSourceTest : public testing::Test {
 protected:
  void SetUp() override { g_data = std::make_unique<DataSource>(DataSource{"Repository", "path"}); }
};

TEST_F(DataSourceTest, SetField) {
  EXPECT_EQ(g_data->short_name, "Repository");
}

TEST_F(DataSourceTest, SetCloneString) {
  EXPECT_EQ(g_data->clone_string, "path");
  g_data->clone_string = "path_2";
  EXPECT_EQ(g_data->clone_string, "path_2");
}

TEST_F(DataSourceTest, ToString) {
  g_data->short_name = "short_name";
  g_data->clone_string = "clone_string";
  EXPECT_EQ(g_data->short_name + "_" + g_data->clone_string, "short_name_clone_string");
}

}  // namespace
