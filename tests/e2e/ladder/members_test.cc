// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <mutex>

class Metrics {
 public:
  static Metrics& get() {
    static Metrics metrics;
    return metrics;
  }
  void hit() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++hits_;
  }
  int hits() const { return hits_; }

 private:
  std::mutex mutex_;
  int hits_ = 0;
};

TEST(MetricsTest, StartAtZero) {
  EXPECT_EQ(Metrics::get().hits(), 0);
}

TEST(MetricsTest, Count) {
  Metrics::get().hit();
  EXPECT_GE(Metrics::get().hits(), 1);
}
