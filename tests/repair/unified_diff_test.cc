// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/owned_dir.h"
#include "base/random.h"
#include "base/subprocess.h"
#include "repair/change.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// A directory with the old files, to which a diff is applied by the tools that users have.
class Diff : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) {
    const fs::path path = dir_->path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }
  std::string read(const std::string& name) {
    std::ifstream in(dir_->path() / name, std::ios::binary);
    EXPECT_TRUE(in) << name << " is missing";
    return {std::istreambuf_iterator<char>(in), {}};
  }

  void apply_by(const std::vector<std::string>& tool, const ChangedFiles& files) {
    for (const auto& [file, change] : files) {
      fs::remove(dir_->path() / fs::path(file).lexically_relative("/p"));
      if (change.before) write(fs::path(file).lexically_relative("/p"), *change.before);
    }
    const std::string diff = unified_diff(files, "/p");
    write("the.diff", diff);
    SubprocessOptions options;
    options.working_dir = dir_->path();
    const auto ran = run_subprocess(tool, options);
    ASSERT_TRUE(ran.ok());
    ASSERT_TRUE(ran->succeeded()) << tool[0] << ": " << ran->out << ran->err << "\n" << diff;
    for (const auto& [file, change] : files) {
      ASSERT_EQ(read(fs::path(file).lexically_relative("/p")), change.after) << diff;
    }
  }
  void apply_by_git(const ChangedFiles& files) {
    apply_by({"git", "apply", "--whitespace=nowarn", "the.diff"}, files);
  }
  void apply_by_patch(const ChangedFiles& files) {
    apply_by({"patch", "-p1", "--no-backup-if-mismatch", "-s", "-i", "the.diff"}, files);
  }
  void apply_by_both(const ChangedFiles& files) {
    apply_by_git(files);
    apply_by_patch(files);
  }

  std::vector<fs::path> places_ = {fs::temp_directory_path()};
  Result<TemporaryDir> dir_ = TemporaryDir::make(places_);
};

std::string numbered(int from, int to) {
  std::string text;
  for (int i = from; i <= to; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST_F(Diff, LooksAsGitShowsIt) {
  const std::string before = numbered(1, 20);
  std::string after = before;
  after.replace(after.find("10\n"), 3, "ten\n");
  EXPECT_EQ(unified_diff({{"/p/d/a.cc", {before, after}}}, "/p"),
            "diff --git a/d/a.cc b/d/a.cc\n--- a/d/a.cc\n+++ b/d/a.cc\n"
            "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n");
}

TEST_F(Diff, ChangesCloseToEachOtherShareAHunk) {
  const auto hunks = [](int second) {
    const std::string before = numbered(1, 40);
    std::string after = before;
    const std::string line = "\n" + std::to_string(second) + "\n";
    after.replace(after.find(line), line.size(), "\nx\n");
    after.replace(after.find("\n10\n"), 4, "\nx\n");
    const std::string diff = unified_diff({{"/p/a", {before, after}}}, "/p");
    return std::count(diff.begin(), diff.end(), '@') / 4;
  };
  EXPECT_EQ(hunks(17), 1);
  EXPECT_EQ(hunks(18), 2);
}

TEST_F(Diff, NothingForWhatDidNotChange) {
  EXPECT_EQ(unified_diff({{"/p/a", {"x\n", "x\n"}}}, "/p"), "");
}

TEST_F(Diff, NewFilesWithAndWithoutContent) {
  apply_by_both({{"/p/sub/new.h", {std::nullopt, "one\ntwo\n"}}});
  apply_by_both({{"/p/empty.h", {std::nullopt, ""}}, {"/p/open.h", {std::nullopt, "no newline"}}});
}

TEST_F(Diff, NoNewlineAtTheEnd) {
  apply_by_both({{"/p/a", {"1\n2", "1\n2\n"}}});
  apply_by_both({{"/p/a", {"1\n2\n", "1\n2"}}});
  apply_by_both({{"/p/a", {"1\n2", "0\n1\n2"}}});
  apply_by_both({{"/p/a", {"1", "2"}}});
}

TEST_F(Diff, ReturnsAreKept) {
  apply_by_both({{"/p/a", {"1\r\n2\r\n3\r\n", "1\r\nx\r\n2\r\n3\r\n"}}});
  apply_by_both({{"/p/a", {"1\r\n2\n3\r\n", "1\n2\r\n3\r"}}});
}

TEST_F(Diff, EmptyBecomesFullAndBack) {
  apply_by_both({{"/p/a", {"", "1\n"}}});
  apply_by_git({{"/p/a", {"1\n2\n", ""}}});
}

TEST_F(Diff, NamesWithBlanksAndQuotes) {
  apply_by_both({{"/p/my file.cc", {"1\n", "2\n"}}, {"/p/new one.h", {std::nullopt, "x\n"}}});
  apply_by_git({{"/p/a\"b\t.cc", {"1\n", "2\n"}}});
  apply_by_both({{"/p/\xc3\xa4.cc", {"1\n", "2\n"}}});
}

/// Few different lines, so that much is alike; now and then a missing newline or a return.
std::string random_text(Random& random, std::uint64_t most) {
  std::string text;
  for (std::uint64_t lines = random.below(most); lines > 0; --lines) {
    text += std::string(random.below(3), 'a' + static_cast<char>(random.below(3)));
    text += random.below(8) == 0 ? "\r\n" : "\n";
  }
  return random.below(3) == 0 ? text + "end" : text;
}

std::string randomly_edited(Random& random, const std::string& before) {
  Change change;
  std::size_t at = 0;
  while (at < before.size()) {
    at += random.below(60);
    if (at > before.size()) break;
    const std::size_t length = std::min<std::size_t>(random.below(6), before.size() - at);
    change.edits.push_back({"/p/a", at, length, random_text(random, 4)});
    at += length + 1;
  }
  const SourceText source([&](const std::string&) { return std::optional<std::string>(before); });
  auto files = apply(change, source);
  EXPECT_TRUE(files.ok());
  return files->empty() ? before : files->at("/p/a").after;
}

TEST_F(Diff, RandomEditsAppliedByGitGiveTheSame) {
  Random random(8);
  for (int round = 0; round < 12; ++round) {  // many files at once: starting git is what costs
    ChangedFiles files;
    for (int i = 0; i < 40; ++i) {
      const std::string before = random_text(random, 120);
      const std::string after = randomly_edited(random, before);
      if (before.empty() || after.empty()) continue;  // git takes an emptied file for a mistake
      if (before != after) files["/p/f" + std::to_string(i)] = {before, after};
    }
    ASSERT_GT(files.size(), 10u);
    apply_by_git(files);
    if (round < 4) apply_by_patch(files);
  }
}

/// Length of the longest common subsequence, by the book.
std::size_t common_lines(const std::vector<std::string_view>& a,
                         const std::vector<std::string_view>& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);
  for (const auto& line : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = line == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

TEST(DiffLines, TakesTheFewestLines) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::string a = random_text(random, 40), b = random_text(random, 40);
    const auto before = whole_lines(a), after = whole_lines(b);
    std::size_t removed = 0, added = 0, last = 0;
    for (const LineChange& change : diff_lines(before, after)) {
      EXPECT_TRUE(removed + added == 0 || change.old_begin > last) << "neighbours touch";
      removed += change.old_end - change.old_begin;
      added += change.new_end - change.new_begin;
      last = change.old_end;
    }
    EXPECT_EQ(before.size() - removed, common_lines(before, after));
    EXPECT_EQ(after.size() - added, common_lines(before, after));
  }
}

TEST(DiffLines, TextsWithoutAnythingInCommonAreNotSearched) {
  std::string a = "same\n", b = "same\n";
  for (int i = 0; i < 5000; ++i) a += "a" + std::to_string(i) + "\n";
  for (int i = 0; i < 5000; ++i) b += "b" + std::to_string(i) + "\n";
  const auto before = whole_lines(a), after = whole_lines(b);
  const auto changes = diff_lines(before, after);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].old_begin, 1u);
  EXPECT_EQ(changes[0].new_end, after.size());
}

}  // namespace
}  // namespace gordian
