// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// gmock default values set by a test and cleared in its tear-down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

class Meter {
 public:
  virtual ~Meter() = default;
  virtual int read() = 0;
};

class MockMeter : public Meter {
 public:
  MOCK_METHOD(int, read, (), (override));
};

class MeterTest : public testing::Test {
 protected:
  void TearDown() override { testing::DefaultValue<int>::Clear(); }
  testing::NiceMock<MockMeter> meter_;
};

TEST_F(MeterTest, UnsetMeterReadsZero) {
  EXPECT_EQ(meter_.read(), 0);
}

TEST_F(MeterTest, DefaultCanBeSet) {
  testing::DefaultValue<int>::Set(42);
  EXPECT_EQ(meter_.read(), 42);
}

TEST_F(MeterTest, CallsAreExpected) {
  EXPECT_CALL(meter_, read()).WillOnce(testing::Return(3));
  EXPECT_EQ(meter_.read(), 3);
}
