// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gordian {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

SourceText one_file(const std::string& name, const std::string& content) {
  return SourceText([=](const std::string& file) -> std::optional<std::string> {
    if (file == name) return content;
    return std::nullopt;
  });
}

Result<std::string> edited(const std::string& content, std::vector<Edit> edits) {
  for (Edit& edit : edits) edit.file = "/p/a.cc";
  auto files = apply({std::move(edits), {}}, one_file("/p/a.cc", content));
  if (!files.ok()) return files.error();
  return files->empty() ? content : files->at("/p/a.cc").after;
}

TEST(Apply, EditsInAnyOrder) {
  EXPECT_EQ(*edited("0123456789", {{"", 8, 1, "x"}, {"", 0, 0, "<"}, {"", 2, 3, ""}}), "<01567x9");
  EXPECT_EQ(*edited("01", {{"", 2, 0, ">"}}), "01>");
}

TEST(Apply, InsertionsAtOnePlaceKeepTheirOrder) {
  EXPECT_EQ(*edited("ab", {{"", 1, 0, "1"}, {"", 1, 1, "B"}, {"", 1, 0, "2"}}), "a12B");
  EXPECT_EQ(*edited("abc", {{"", 1, 1, ""}, {"", 2, 0, "x"}}), "axc");
}

TEST(Apply, OverlapsAreErrors) {
  EXPECT_THAT(edited("abcd", {{"", 0, 2, "x"}, {"", 1, 1, "y"}}).error().message,
              HasSubstr("overlap"));
  EXPECT_FALSE(edited("abcd", {{"", 0, 2, "x"}, {"", 1, 0, "y"}}).ok());
}

TEST(Apply, OutsideOfTheFileIsAnError) {
  EXPECT_FALSE(edited("ab", {{"", 3, 0, "x"}}).ok());
  EXPECT_FALSE(edited("ab", {{"", 1, 2, "x"}}).ok());
  EXPECT_FALSE(edited("ab", {{"", 1, std::string::npos, "x"}}).ok());
}

TEST(Apply, AFileThatCannotBeReadIsAnError) {
  const Change change{{{"/p/other.cc", 0, 0, "x"}}, {}};
  EXPECT_THAT(apply(change, one_file("/p/a.cc", "")).error().message, HasSubstr("/p/other.cc"));
}

TEST(Apply, TwoSpellingsOfAPathAreOneFile) {
  const Change change{{{"/p/a.cc", 0, 0, "x"}, {"/p/q/../a.cc", 1, 0, "y"}}, {}};
  EXPECT_EQ(apply(change, one_file("/p/a.cc", "ab"))->at("/p/a.cc").after, "xayb");
}

TEST(Apply, NewFiles) {
  const Change change{{}, {{"/p/new.h", "n"}}};
  const auto files = apply(change, one_file("/p/a.cc", ""));
  EXPECT_EQ(files->at("/p/new.h").before, std::nullopt);
  EXPECT_EQ(files->at("/p/new.h").after, "n");
  EXPECT_THAT(*apply(change, one_file("/p/new.h", "n")), IsEmpty());
  EXPECT_FALSE(apply(change, one_file("/p/new.h", "other")).ok());
}

TEST(Apply, AnEditThatChangesNothingTouchesNothing) {
  const Change change{{{"/p/a.cc", 0, 1, "a"}}, {}};
  EXPECT_THAT(*apply(change, one_file("/p/a.cc", "a")), IsEmpty());
}

TEST(SourceText, ReadsOnceAndTellsWhatIsMissing) {
  int reads = 0;
  const SourceText source([&](const std::string&) {
    ++reads;
    return std::optional<std::string>("x");
  });
  EXPECT_EQ(source.content("/a"), "x");
  EXPECT_EQ(source.content("/a"), "x");
  EXPECT_EQ(reads, 1);
  EXPECT_EQ(SourceText::of_disk().content("/"), std::nullopt);
  EXPECT_EQ(SourceText::of_disk().content("/no/such/file"), std::nullopt);
}

}  // namespace
}  // namespace gordian
