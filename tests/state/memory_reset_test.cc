// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/memory_reset.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/state/fake_image.h"

namespace gordian {
namespace {

using explain_test::FakeImage;

constexpr std::uint64_t kBase = 0x10000;
constexpr std::uint64_t kVariable = kBase, kBlockA = kBase + 0x100, kBlockB = kBase + 0x200;
constexpr ByteRange kRoot{kVariable, 8};

/// Blocks of 32 bytes at multiples of 256, apart from the first.
std::optional<ByteRange> block_of(std::uint64_t address) {
  if (address < kBlockA || address >= kBase + 0x1000 || address % 0x100 >= 32) return std::nullopt;
  return ByteRange{address - address % 0x100, 32};
}

class Reset : public testing::Test {
 protected:
  std::optional<MemoryReset> plan(ByteRange root = kRoot) {
    return plan_reset({&root, 1}, {&root, 1}, {before_, block_of}, {after_, block_of});
  }
  static const MemoryReset::Piece* piece_at(const MemoryReset& reset, std::uint64_t address) {
    auto at = std::find_if(reset.pieces.begin(), reset.pieces.end(),
                           [&](const auto& piece) { return piece.address == address; });
    return at == reset.pieces.end() ? nullptr : &*at;
  }
  FakeImage before_{kBase, 0x1000}, after_{kBase, 0x1000};
};

TEST_F(Reset, APlainValueIsItsBytes) {
  before_.put(kVariable, 1);
  after_.put(kVariable, 2);
  auto reset = plan();
  ASSERT_TRUE(reset);
  ASSERT_EQ(reset->pieces.size(), 1u);
  EXPECT_EQ(reset->pieces[0].bytes[0], 1);
  EXPECT_FALSE(reset->pieces[0].made_anew);
}

TEST_F(Reset, WhatIsStillThereIsWrittenInPlace) {
  for (FakeImage* image : {&before_, &after_}) image->put(kVariable, kBlockA);
  before_.put(kBlockA + 8, 10);
  after_.put(kBlockA + 8, 99);
  auto reset = plan();
  ASSERT_TRUE(reset);
  const auto* block = piece_at(*reset, kBlockA);
  ASSERT_NE(block, nullptr);
  EXPECT_FALSE(block->made_anew);
  EXPECT_EQ(block->bytes[8], 10);
}

TEST_F(Reset, ABlockThatWasGivenBackIsMadeAnew) {
  before_.put(kVariable, kBlockA);
  before_.put(kBlockA, 7);
  after_.put(kVariable, kBlockB);
  after_.put(kBlockA, 0xdead);  // somebody else's by now
  auto reset = plan();
  ASSERT_TRUE(reset);
  const auto* block = piece_at(*reset, kBlockA);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(block->made_anew);
}

TEST_F(Reset, WhatDidNotChangeIsLeftAlone) {
  for (FakeImage* image : {&before_, &after_}) {
    image->put(kVariable, kBlockA);
    image->put(kBlockA, kBlockB);
    image->put(kBlockB, kBlockA);  // a cycle
  }
  auto reset = plan();
  ASSERT_TRUE(reset);
  EXPECT_EQ(reset->pieces.size(), 1u);
}

TEST_F(Reset, MemoryThatIsNotThereIsNoPlan) {
  EXPECT_FALSE(plan({kBase + 0x2000, 8}));
}

}  // namespace
}  // namespace gordian
