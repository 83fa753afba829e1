// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Fixture objects register with a static list in the constructor and leave in the destructor.
#include <gtest/gtest.h>

#include <set>

class Member : public testing::Test {
 protected:
  Member() { alive_.insert(this); }
  ~Member() override { alive_.erase(this); }
  static std::set<Member*> alive_;
};

std::set<Member*> Member::alive_;

TEST_F(Member, IsAlone) {
  EXPECT_EQ(alive_.size(), 1u);
}

TEST_F(Member, IsRegistered) {
  EXPECT_EQ(alive_.count(this), 1u);
}

TEST_F(Member, FailsButStillLeaves) {
  FAIL() << "this failure is the expected result";
}
