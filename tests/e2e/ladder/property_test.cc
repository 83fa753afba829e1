// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <mutex>

class Journal {
 public:
  static Journal& instance() {
    static Journal journal;
    return journal;
  }
  int level() const { return level_; }
  void set_level(int level) {
    const std::lock_guard<std::mutex> lock(mutex_);
    level_ = level;
  }

 private:
  std::mutex mutex_;  // so that it cannot be copied
  int level_ = 1;
};

TEST(JournalTest, IsQuiet) {
  EXPECT_EQ(Journal::instance().level(), 1);
}

TEST(JournalTest, CanBeLoud) {
  Journal::instance().set_level(3);
  EXPECT_EQ(Journal::instance().level(), 3);
}
