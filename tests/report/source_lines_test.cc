// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/source_lines.h"

#include <gtest/gtest.h>

#include "tests/suite/scratch_dir.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

class SourceLines : public ScratchDir {
 protected:
  void SetUp() override {
    source_ = write("a.cc", "one\r\ntwo\n\nfour");
    binary_ = write("a", "binary");
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(source_, now - std::chrono::hours(1));
    fs::last_write_time(binary_, now);
  }
  Lines read(const std::string& file) { return SourceFiles(binary_).lines(file); }

  fs::path source_, binary_;
};

TEST_F(SourceLines, AreRead) {
  EXPECT_EQ(read(source_), (Lines{"one", "two", "", "four"}));
}

TEST_F(SourceLines, OfAFileChangedSinceTheBuildAreNotShown) {
  fs::last_write_time(source_, fs::last_write_time(binary_) + std::chrono::seconds(1));
  EXPECT_EQ(read(source_), Lines{});
}

TEST_F(SourceLines, OfWhatIsNotThereAreNone) {
  EXPECT_EQ(read(dir_ / "b.cc"), Lines{});
  EXPECT_EQ(read(dir_), Lines{});
  EXPECT_EQ(read(""), Lines{});
  EXPECT_EQ(read("a.cc"), Lines{});  // relative to a directory that we do not know
  fs::remove(binary_);
  EXPECT_EQ(read(source_), Lines{});
}

}  // namespace
}  // namespace gordian
