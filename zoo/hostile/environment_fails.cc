// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The global environment cannot be set up: the framework skips every test.
#include <gtest/gtest.h>

class Broken : public testing::Environment {
 public:
  void SetUp() override { FAIL() << "no environment"; }
};

TEST(Harmless, First) {
  SUCCEED();
}

TEST(Harmless, Second) {
  SUCCEED();
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new Broken);
  return RUN_ALL_TESTS();
}
