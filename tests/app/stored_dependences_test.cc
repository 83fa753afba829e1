// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/stored_dependences.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TEST(StoredIds, AreALetterAndANumber) {
  EXPECT_EQ(*asked_run("R7"), RunId{7});
  EXPECT_EQ(*asked_run("r7"), RunId{7});
  EXPECT_EQ(*asked_dependence("D12"), DependenceId{12});
  EXPECT_EQ(*asked_dependence("d12"), DependenceId{12});
  EXPECT_EQ(*asked_dependence("12"), DependenceId{12});
}

TEST(StoredIds, OthersAreRefusedWithWhatTheyLookLike) {
  for (const char* word : {"", "D", "R", "D1x", "D 1", "99999999999999999999", "one"}) {
    auto dependence = asked_dependence(word);
    ASSERT_FALSE(dependence) << word;
    EXPECT_EQ(dependence.error().kind, ErrorKind::usage);
    EXPECT_NE(dependence.error().hint.find("D1"), std::string::npos);
    EXPECT_FALSE(asked_run(word)) << word;
  }
  EXPECT_FALSE(asked_run("D1"));
  EXPECT_FALSE(asked_dependence("R1"));
}

TEST(StoredIds, ADependenceIsKnownByItsLetter) {
  EXPECT_TRUE(names_dependence("D1"));
  EXPECT_TRUE(names_dependence("dx"));
  EXPECT_FALSE(names_dependence("D"));
  EXPECT_FALSE(names_dependence("R1"));
}

TEST(RebuiltSince, KnowsTheBuildByIdOrContent) {
  NamedDependence stored;
  stored.id = DependenceId{3};
  stored.target.binary = "/b/my test";
  stored.sha256 = "feed";
  stored.build_id = "b01d";
  EXPECT_FALSE(rebuilt_since(stored, {"", "b01d", "beef", 0}));  // stripped
  EXPECT_FALSE(rebuilt_since(stored, {"", "", "feed", 0}));
  auto rebuilt = rebuilt_since(stored, {"", "0ther", "beef", 0});
  ASSERT_TRUE(rebuilt);
  EXPECT_EQ(rebuilt->kind, ErrorKind::target);
  EXPECT_NE(rebuilt->message.find("D3"), std::string::npos);
  EXPECT_NE(rebuilt->hint.find("gordian detect '/b/my test'"), std::string::npos);
  stored.build_id = "";
  EXPECT_TRUE(rebuilt_since(stored, {"", "", "beef", 0}));
}

TEST(BinaryGone, SaysWhatToDo) {
  NamedDependence stored;
  stored.target.binary = "/nothing/there";
  auto gone = binary_gone(stored);
  ASSERT_TRUE(gone);
  EXPECT_NE(gone->hint.find("gordian detect /nothing/there"), std::string::npos);
  stored.target.binary = "/proc/self/exe";
  EXPECT_FALSE(binary_gone(stored));
}

}  // namespace
}  // namespace gordian
