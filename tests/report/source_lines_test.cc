// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/source_files.h"

#include <gtest/gtest.h>

#include "tests/model/scratch_dir.h"

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
  EXPECT_EQ(read("b.cc"), Lines{});
  fs::remove(binary_);
  EXPECT_EQ(read(source_), Lines{});
}

TEST_F(SourceLines, OfARelativeNameAreThoseOfTheOneFileAboveTheBinary) {
  fs::create_directories(dir_ / "build" / "bin");
  fs::rename(binary_, dir_ / "build" / "bin" / "a");
  binary_ = dir_ / "build" / "bin" / "a";
  EXPECT_EQ(read("a.cc"), (Lines{"one", "two", "", "four"}));
  EXPECT_EQ(read("./a.cc"), (Lines{"one", "two", "", "four"}));
  fs::copy_file(source_, dir_ / "build" / "a.cc");
  fs::last_write_time(dir_ / "build" / "a.cc", fs::last_write_time(source_));
  EXPECT_EQ(read("a.cc"), Lines{}) << "which of the two?";
}

}  // namespace
}  // namespace gordian
