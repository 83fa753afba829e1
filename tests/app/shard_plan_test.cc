// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/shard_plan.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TEST(ShardChoice, IsANumberOfANumber) {
  auto choice = parse_shard("2/4");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->index, 1u);
  EXPECT_EQ(choice->count, 4u);
  EXPECT_EQ(choice->text(), "2/4");
  EXPECT_TRUE(parse_shard("1/1"));
}

TEST(ShardChoice, OthersAreRefusedWithWhatTheyLookLike) {
  for (const char* word : {"", "/", "1", "1/", "/4", "0/4", "5/4", "1/4x", " 1/4", "-1/4", "a/b",
                           "1/0", "1/1001", "1/99999999999999999999"}) {
    auto choice = parse_shard(word);
    ASSERT_FALSE(choice) << word;
    EXPECT_EQ(choice.error().kind, ErrorKind::usage);
    EXPECT_NE(choice.error().hint.find("1/4"), std::string::npos);
  }
}

}  // namespace
}  // namespace gordian
