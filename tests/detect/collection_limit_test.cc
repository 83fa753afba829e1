// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/budget.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
const CollectionLimit::Clock::time_point kBegin{};

/// A pass whose tests take `each`, from test `from` to `to`.
void pass(CollectionLimit& limit, const std::string& doing, std::uint64_t from, std::uint64_t to,
          std::uint64_t total, milliseconds each, milliseconds begins) {
  for (std::uint64_t done = from; done <= to; ++done) {
    limit.note({done, total, doing}, kBegin + begins + each * (done - from));
  }
}

TEST(CollectionLimit, EndsAFirstPassThatTakesTooLong) {
  CollectionLimit limit(seconds(1), kBegin);
  pass(limit, "reading state", 0, 5, 1000, milliseconds(10), milliseconds(0));
  EXPECT_FALSE(limit.is_exceeded(kBegin + milliseconds(50)));  // five tests say little
  pass(limit, "reading state", 6, 20, 1000, milliseconds(10), milliseconds(60));
  EXPECT_TRUE(limit.is_exceeded(kBegin + milliseconds(200)));
}

TEST(CollectionLimit, TheFirstTestMayHoldMuchElse) {
  CollectionLimit limit(seconds(10), kBegin);
  limit.note({0, 100, "reading state"}, kBegin);
  pass(limit, "reading state", 1, 50, 100, milliseconds(1), seconds(5));
  EXPECT_FALSE(limit.is_exceeded(kBegin + seconds(6)));
}

TEST(CollectionLimit, KnowsThePassesOnceTheFirstIsOver) {
  CollectionLimit limit(seconds(1), kBegin);
  pass(limit, "reading state", 1, 100, 100, milliseconds(5), milliseconds(0));
  EXPECT_FALSE(limit.is_exceeded(kBegin + milliseconds(500)));
  // 64 passes are left, of 100 ms each.
  pass(limit, "watching 1 of 64", 101, 120, 6500, milliseconds(1), milliseconds(500));
  EXPECT_TRUE(limit.is_exceeded(kBegin + milliseconds(520)));
}

TEST(CollectionLimit, QuickPassesMayBeMany) {
  CollectionLimit limit(seconds(1), kBegin);
  pass(limit, "reading state", 1, 100, 100, milliseconds(5), milliseconds(0));
  pass(limit, "watching 1 of 3", 101, 200, 400, milliseconds(1), milliseconds(500));
  EXPECT_FALSE(limit.is_exceeded(kBegin + milliseconds(600)));
}

TEST(CollectionLimit, TimeThatIsOverIsOver) {
  EXPECT_TRUE(CollectionLimit(seconds(1), kBegin).is_exceeded(kBegin + seconds(2)));
}

}  // namespace
}  // namespace gordian
