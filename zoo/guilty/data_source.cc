// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test makes the object that the others use, and one of those changes what another checks.
#include <gtest/gtest.h>

#include <string>

namespace {

enum class RepoKind { git, hg };

std::string name_of(RepoKind kind) {
  return kind == RepoKind::hg ? "HG" : "GIT";
}

struct DataSource {
  std::string short_name, clone_string;
  RepoKind kind;
};

DataSource* g_data = nullptr;

TEST(DataSourceTest, SetField) {
  g_data = new DataSource{"Repository", "path", RepoKind::hg};  // WRITE
  EXPECT_EQ(g_data->short_name, "Repository");
  EXPECT_EQ(g_data->kind, RepoKind::hg);
}

TEST(DataSourceTest, SetCloneString) {
  ASSERT_NE(g_data, nullptr);               // READ by SetCloneString
  EXPECT_EQ(g_data->clone_string, "path");  // READ the path
  g_data->clone_string = "path_2";
  EXPECT_EQ(g_data->clone_string, "path_2");
}

TEST(DataSourceTest, ToString) {
  ASSERT_NE(g_data, nullptr);  // READ by ToString
  g_data->short_name = "short_name";
  g_data->kind = RepoKind::hg;
  g_data->clone_string = "clone_string";  // WRITE the path
  EXPECT_EQ(g_data->short_name + "_" + name_of(g_data->kind) + "_" + g_data->clone_string,
            "short_name_HG_clone_string");
}

TEST(DataSourceTest, KindsHaveNames) {
  EXPECT_EQ(name_of(RepoKind::git), "GIT");
}

}  // namespace
