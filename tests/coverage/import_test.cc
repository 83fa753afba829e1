// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/import.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/owned_dir.h"
#include "coverage/counter_maps.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

class Import : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path places[] = {fs::temp_directory_path()};
    auto made = TemporaryDir::make(places);
    ASSERT_TRUE(made);
    dir_.emplace(std::move(*made));
  }
  fs::path write(const std::string& name, const std::string& text) {
    const fs::path file = dir_->path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }
  static std::vector<int> lines(const Coverage& coverage, std::size_t test) {
    std::vector<int> found;
    for (std::size_t i = 0; i < coverage.statements.units.size(); ++i) {
      if (coverage.statements.tests[test].has(i))
        found.push_back(coverage.statements.units[i].line);
    }
    return found;
  }
  std::optional<TemporaryDir> dir_;
  Suite suite_{Framework::gtest,
               "1",
               {{"S", "A", "", 0, "", "", false, true}, {"S", "B", "", 0, "", "", false, true}}};
};

TEST_F(Import, LcovWithNamesOfTests) {
  const fs::path file =
      write("all.info",
            "TN:S_A\nSF:/s/f.cc\nFN:1,_Z1fv\nFNDA:2,_Z1fv\nDA:1,2\nDA:2,0\n"
            "end_of_record\nTN:S.B\nSF:/s/f.cc\nFN:1,3,_Z1fv\nFNDA:0,_Z1fv\nDA:1,0\n"
            "DA:2,7\nend_of_record\nTN:gone\nSF:/s/f.cc\nDA:9,1\nend_of_record\n");
  auto coverage = import_coverage(file, suite_);
  ASSERT_TRUE(coverage) << coverage.error().message;
  EXPECT_EQ(coverage->source, "lcov");
  EXPECT_EQ(lines(*coverage, 0), std::vector{1});
  EXPECT_EQ(lines(*coverage, 1), std::vector{2});
  EXPECT_EQ(coverage->statements.units.size(), 3U);
  ASSERT_EQ(coverage->functions.units.size(), 1U);
  EXPECT_EQ(coverage->functions.units[0].function, "f()");
  EXPECT_TRUE(coverage->functions.tests[0].has(0));
  EXPECT_FALSE(coverage->functions.tests[1].has(0));
  ASSERT_EQ(coverage->notices.size(), 1U);
  EXPECT_NE(coverage->notices[0].find("gone"), std::string::npos);
}

TEST_F(Import, ADirectoryForEachTest) {
  write("d/S.A/x.gcov.json",
        R"({"current_working_directory": "/s", "files": [{"file": "f.cc", "functions": [],
            "lines": [{"line_number": 4, "count": 1}, {"line_number": 5, "count": 0}]}]})");
  auto coverage = import_coverage(dir_->path() / "d", suite_);
  ASSERT_TRUE(coverage) << coverage.error().message;
  EXPECT_EQ(lines(*coverage, 0), std::vector{4});
  EXPECT_EQ(coverage->statements.units.at(1).file, "/s/f.cc");
  ASSERT_EQ(coverage->notices.size(), 1U);
  EXPECT_NE(coverage->notices[0].find("nothing of 1 tests"), std::string::npos);
}

TEST_F(Import, WhatLlvmExports) {
  write("d/S.B.json",
        R"({"type": "llvm.coverage.json.export", "version": "2.0.1", "data": [{"files": [
            {"filename": "/s/f.cc", "segments": [[2, 1, 5, true, true, false],
             [3, 1, 0, true, true, false], [4, 2, 5, true, false, false],
             [6, 1, 0, false, false, false]]}], "functions": [{"name": "f.cc:_ZL1gv", "count": 5,
             "filenames": ["/s/f.cc"], "regions": [[2, 1, 6, 1, 5, 0, 0, 0]]}]}]})");
  auto coverage = import_coverage(dir_->path() / "d", suite_);
  ASSERT_TRUE(coverage) << coverage.error().message;
  EXPECT_EQ(lines(*coverage, 1), (std::vector{2, 3, 5, 6}));
  EXPECT_EQ(coverage->functions.units.at(0).function, "g()");
}

TEST_F(Import, AlienOrCutOffIsAnErrorThatNamesTheFile) {
  for (const char* text : {"", "hello\n", "{\"a\": 1}", "{\"files\": [", "TN:S.A\nSF:/f\nDA:1,1\n",
                           "DA:1,1\n", "TN:S.A\nSF:/f\nDA:x\nend_of_record\n"}) {
    auto coverage = import_coverage(write("bad.info", text), suite_);
    ASSERT_FALSE(coverage) << text;
    EXPECT_EQ(coverage.error().kind, ErrorKind::usage);
    EXPECT_NE(coverage.error().message.find("bad.info"), std::string::npos);
  }
  EXPECT_FALSE(import_coverage(dir_->path() / "none", suite_));
}

TEST_F(Import, DataOfNoTestIsAnError) {
  auto coverage =
      import_coverage(write("o.info", "TN:other\nSF:/f\nDA:1,1\nend_of_record\n"), suite_);
  ASSERT_FALSE(coverage);
  EXPECT_NE(coverage.error().hint.find("other"), std::string::npos);
}

TEST(LlvmSegments, TheInnermostRegionDecides) {
  // A function of lines 1 to 9, a branch in it from the middle of line 3 to line 5.
  const auto lines = lines_of_regions(
      {{LlvmRegionKind::code, {1, 1}, {9, 2}, 0}, {LlvmRegionKind::code, {3, 10}, {5, 4}, 1}});
  ASSERT_EQ(lines.size(), 9U);
  using Ids = std::vector<std::uint32_t>;
  EXPECT_EQ(lines[0].ids, Ids{0});
  EXPECT_EQ(lines[2].ids, (Ids{0, 1}));
  EXPECT_EQ(lines[3].ids, Ids{1});
  EXPECT_EQ(lines[4].ids, Ids{1});
  EXPECT_EQ(lines[5].ids, Ids{0});
}

TEST(LlvmSegments, SkippedLinesAreNoLines) {
  const auto lines = lines_of_regions(
      {{LlvmRegionKind::code, {1, 1}, {5, 2}, 0}, {LlvmRegionKind::skipped, {2, 1}, {4, 1}, 1}});
  std::vector<std::uint32_t> numbers;
  for (const LineRegions& line : lines) numbers.push_back(line.line);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 5}));
}

}  // namespace
}  // namespace gordian
