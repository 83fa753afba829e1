// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A private static class member counts open sessions; one test leaks a session.
#include <gtest/gtest.h>

class Session {
 public:
  Session() {
    ++open_;  // WRITE
  }
  ~Session() { --open_; }
  static int open_count() {
    return open_;  // READ
  }

 private:
  static int open_;
};

int Session::open_ = 0;

TEST(Sessions, NoneAreOpenAtFirst) {
  EXPECT_EQ(Session::open_count(), 0);
}

TEST(Sessions, ScopeClosesSession) {
  const int before = Session::open_count();
  { Session session; }
  EXPECT_EQ(Session::open_count(), before);
}

TEST(Sessions, OpenIsCounted) {
  const int before = Session::open_count();
  new Session;
  EXPECT_EQ(Session::open_count(), before + 1);
}
