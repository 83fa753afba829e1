// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Only one display may exist: a test that makes one and keeps it takes it from all that make their
// own.
#include <gtest/gtest.h>

namespace {

class Display {
 public:
  /// nullptr: there is one already.
  static Display* create() {
    if (current_ != nullptr) return nullptr;  // READ
    current_ = new Display;                   // WRITE
    return current_;
  }
  static Display* get() { return current_ != nullptr ? current_ : create(); }
  void dispose() {
    current_ = nullptr;
    delete this;
  }
  int depth() const { return 24; }

 private:
  static Display* current_;
};

Display* Display::current_ = nullptr;

TEST(DisplayTest, CanBeCreated) {
  Display* display = Display::create();
  ASSERT_NE(display, nullptr);
  display->dispose();
}

TEST(DisplayTest, HasADepth) {
  Display* display = Display::create();
  ASSERT_NE(display, nullptr);
  EXPECT_EQ(display->depth(), 24);
  display->dispose();
}

TEST(DisplayTest, ButtonIsShown) {
  EXPECT_EQ(Display::get()->depth(), 24);
}

TEST(DisplayTest, TextNeedsNone) {
  EXPECT_EQ(sizeof("OK"), 3U);
}

}  // namespace
