// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A gmock default value for a whole type, set by one test and never cleared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

class Meter {
 public:
  virtual ~Meter() = default;
  virtual int read() = 0;
};

class MockMeter : public Meter {
 public:
  MOCK_METHOD(int, read, (), (override));  // READ
};

TEST(MeterTest, UnsetMeterReadsZero) {
  testing::NiceMock<MockMeter> meter;
  EXPECT_EQ(meter.read(), 0);
}

TEST(MeterTest, ExplicitActionWins) {
  testing::NiceMock<MockMeter> meter;
  ON_CALL(meter, read()).WillByDefault(testing::Return(5));
  EXPECT_EQ(meter.read(), 5);
}

TEST(MeterTest, DefaultCanBeSet) {
  testing::DefaultValue<int>::Set(42);  // WRITE
  testing::NiceMock<MockMeter> meter;
  EXPECT_EQ(meter.read(), 42);
}
