// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/results.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/owned_dir.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

Suite two_tests() {
  std::vector<Test> tests(2);
  tests[0].name = "A", tests[1].name = "B";
  return Suite(Framework::catch2, "", std::move(tests));
}

TEST(RankOutput, EachProcessHasAFile) {
  RankedOrder order;
  order.technique = "T1";
  order.description = "random";
  order.processes = {{{TestId{1}}, {false}}, {{TestId{0}}, {false}}};
  const fs::path places[] = {fs::temp_directory_path()};
  auto dir = TemporaryDir::make(places);
  ASSERT_TRUE(dir.ok());
  const fs::path file = dir->path() / "some.order.txt";
  auto files = write_order(order, two_tests(), file.string());
  ASSERT_TRUE(files.ok()) << files.error().message;
  EXPECT_EQ(*files, (std::vector<std::string>{file, dir->path() / "some.order.2.txt"}));
  EXPECT_EQ(content_of(file), "# T1, random, seed 0; process 1 of 2\nB\n");
  EXPECT_EQ(content_of((*files)[1]), "# T1, random, seed 0; process 2 of 2\nA\n");
}

TEST(RankOutput, StandardOutputIsForOneOfThem) {
  EXPECT_EQ(*order_output("", ""), "-");
  EXPECT_EQ(*order_output("", "-"), "");
  EXPECT_EQ(*order_output("o", "-"), "o");
  EXPECT_FALSE(order_output("-", "-").ok());
}

TEST(RankOutput, AChangedResultOrAnUnservedTestIsAFailure) {
  RankedOrder order;
  EXPECT_EQ(exit_code_of(order), 0);
  order.checked.emplace();
  order.aware.emplace();
  EXPECT_EQ(exit_code_of(order), 0);
  order.aware->impossible.push_back({TestId{0}, DependenceId{1}});
  EXPECT_EQ(exit_code_of(order), 1);
  order.aware.reset();
  order.checked->changed.emplace_back();
  EXPECT_EQ(exit_code_of(order), 1);
}

}  // namespace
}  // namespace gordian
