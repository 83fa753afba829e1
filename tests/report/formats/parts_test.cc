// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The pieces that formats are made of: names of files, changes of a diff, Markdown, SARIF.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/owned_dir.h"
#include "report/formats/markdown_text.h"
#include "report/formats/sarif_parts.h"
#include "report/source_files.h"
#include "tests/report/golden.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

Result<TemporaryDir> temporary_dir() {
  const std::vector<fs::path> places = {fs::temp_directory_path()};
  return TemporaryDir::make(places);
}

TEST(SourceRoot, NamesAreRelativeToIt) {
  const SourceRoot root("/src/shop");
  EXPECT_EQ(root.relative("/src/shop/a/b.cc", "/x/t"), "a/b.cc");
  EXPECT_EQ(root.relative("/src/shop/build/../a/b.cc", "/x/t"), "a/b.cc");
  EXPECT_EQ(root.relative("/src/shopping/b.cc", "/x/t"), std::nullopt);
  EXPECT_EQ(root.relative("/usr/include/c++/vector", "/x/t"), std::nullopt);
  EXPECT_EQ(root.relative("", "/x/t"), std::nullopt);
  EXPECT_EQ(root.relative("a/b.cc", "/x/t"), "a/b.cc") << "nobody knows better";
  EXPECT_EQ(root.relative("../b.cc", "/x/t"), std::nullopt);
}

TEST(SourceRoot, RelativeNamesAreLookedForAboveTheBinary) {
  auto made = temporary_dir();
  ASSERT_TRUE(made.ok());
  const fs::path top = fs::canonical(made->path());
  fs::create_directories(top / "build/bin");
  fs::create_directories(top / "src");
  std::ofstream(top / "src/a.cc") << "x";
  EXPECT_EQ(SourceRoot(top).relative("../src/a.cc", (top / "build/bin/t").string()), "src/a.cc");
  EXPECT_EQ(SourceRoot(top / "src").relative("src/a.cc", (top / "build/bin/t").string()), "a.cc");
}

TEST(SourceRoot, ACheckoutIsFoundFromBelow) {
  auto made = temporary_dir();
  ASSERT_TRUE(made.ok());
  const fs::path top = fs::canonical(made->path());
  fs::create_directories(top / ".git");
  fs::create_directories(top / "a/b");
  EXPECT_EQ(SourceRoot::above(top / "a/b"), top);
}

TEST(DiffChanges, RemovedAndAddedLinesAreOneChange) {
  const auto files =
      sarif::changes_of("--- a/x.cc\n+++ b/x.cc\n@@ -3,4 +3,4 @@ f()\n a\n-b\n-c\n+B\n+C\n d\n");
  ASSERT_EQ(files.size(), 1U);
  ASSERT_EQ(files[0].changes.size(), 1U);
  EXPECT_EQ(files[0].changes[0].first, 4);
  EXPECT_EQ(files[0].changes[0].removed, 2);
  EXPECT_EQ(files[0].changes[0].inserted, "B\nC\n");
}

TEST(DiffChanges, LinesThatLookLikeHeadsAreContent) {
  const auto files = sarif::changes_of("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- b/y\n+++ b/z\n a\n");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].changes.at(0).inserted, "++ b/z\n");
}

TEST(DiffChanges, AnEndWithoutNewlineIsKept) {
  const auto files = sarif::changes_of(
      "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"
      "\\ No newline at end of file\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+q\n");
  ASSERT_EQ(files.size(), 2U);
  EXPECT_TRUE(files[0].changes.at(0).at_open_end);
  EXPECT_EQ(files[0].changes.at(0).inserted, "b");
  EXPECT_TRUE(files[1].is_new);
}

TEST(DiffChanges, WhatIsNoPatchOfContentGivesNone) {
  EXPECT_TRUE(sarif::changes_of("hello\n").empty());
  EXPECT_TRUE(sarif::changes_of("@@ -1 +1 @@\n-a\n+b\n").empty());
  EXPECT_TRUE(sarif::changes_of("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\ngarbage\n").empty());
  EXPECT_TRUE(sarif::changes_of("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n").empty());
}

TEST(MarkdownText, CodeTakesAnyText) {
  EXPECT_EQ(markdown::code("a"), "`a`");
  EXPECT_EQ(markdown::code("a``b"), "```a``b```");
  EXPECT_EQ(markdown::code("`"), "`` ` ``");
  EXPECT_EQ(markdown::code("a\nb|c"), "`a\\nb|c`");
  EXPECT_EQ(markdown::cell_code("a|b"), "`a\\|b`");
  EXPECT_EQ(markdown::code(""), "");
  EXPECT_EQ(markdown::html_code("a<b>&"), "<code>a&lt;b&gt;&amp;</code>");
  EXPECT_EQ(markdown::text("*a* <b> #1"), "\\*a\\* \\<b\\> \\#1");
  EXPECT_EQ(markdown::fence("diff", "a\n```\n"), "````diff\na\n```\n````\n");
}

TEST(SarifParts, TextAndNamesAreEscaped) {
  EXPECT_EQ(sarif::literal("a [b](1) {0}"), "a \\[b\\](1) {{0}}");
  EXPECT_EQ(sarif::uri_path("a b/\xc3\xa9%.cc"), "a%20b/%C3%A9%25.cc");
}

TEST(AppendFile, KeepsWhatIsThere) {
  auto made = temporary_dir();
  ASSERT_TRUE(made.ok());
  const std::string file = (made->path() / "summary.md").string();
  ASSERT_TRUE(append_file(file, "one\n").ok());
  ASSERT_TRUE(append_file(file, "two\n").ok());
  EXPECT_EQ(testing_support::read_all(file), "one\ntwo\n");
  EXPECT_FALSE(append_file("/nowhere/summary.md", "x").ok());
}

}  // namespace
}  // namespace gordian
