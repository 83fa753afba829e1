// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/trace_session.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace gordian {
namespace {

TEST(WriteMap, TheLastWriteOfAByteCounts) {
  WriteMap map;
  map.assign(10, 20, {1, StateId(0)});
  map.assign(14, 16, {2, std::nullopt});
  EXPECT_EQ(map.find(9), nullptr);
  EXPECT_EQ(map.find(13)->position, 1u);
  EXPECT_EQ(map.find(14)->position, 2u);
  EXPECT_EQ(map.find(16)->position, 1u);
  EXPECT_EQ(map.find(19)->state, StateId(0));
  EXPECT_EQ(map.find(20), nullptr);
}

TEST(WriteMap, AsAnArrayOfBytes) {
  constexpr std::size_t kBytes = 100;
  std::mt19937 random(3);
  WriteMap map;
  std::vector<std::size_t> bytes(kBytes, 0);
  for (std::size_t round = 1; round < 500; ++round) {
    const std::uint64_t begin = random() % kBytes, end = begin + random() % (kBytes - begin);
    map.assign(begin, end, {round, std::nullopt});
    for (std::uint64_t i = begin; i < end; ++i) bytes[i] = round;
    for (std::uint64_t i = 0; i < kBytes; ++i) {
      const WriteMap::Write* write = map.find(i);
      ASSERT_EQ(write == nullptr ? 0 : write->position, bytes[i]) << round << " " << i;
    }
  }
}

}  // namespace
}  // namespace gordian
