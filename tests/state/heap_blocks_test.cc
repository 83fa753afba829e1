// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/heap_blocks.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <thread>

#include "base/random.h"
#include "tests/state/fake_image.h"
#include "tests/state/held_process.h"

namespace gordian::explain_test {
namespace {

constexpr std::uint64_t kHeap = 0x10000;

std::vector<Mapping> heap_of(std::size_t size) {
  return {{TargetAddr{kHeap}, TargetAddr{kHeap + size}, true, true, false, "[heap]"}};
}

std::uint64_t number(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

constexpr const char* kOtherMalloc = "another malloc, for instance that of a sanitizer";

TEST(HeapBlocks, KnowsTheBlocksOfMalloc) {
  std::vector<void*> all;
  for (std::size_t size = 0; size < 3000; size += 37) all.push_back(malloc(size));
  HeldProcess held([] {});
  const HeapBlocks& blocks = held.blocks();
  for (void* block : all) {
    if (!held.has_glibc_heap()) break;
    const ByteRange range{number(block), malloc_usable_size(block)};
    EXPECT_EQ(blocks.block_of(range.begin), range);
    EXPECT_EQ(blocks.block_of(range.begin + range.size / 2), range);
    EXPECT_EQ(blocks.block_of(range.end() - 1), range);
    EXPECT_NE(blocks.block_of(range.end()), range);
  }
  for (void* block : all) free(block);
  if (!held.has_glibc_heap()) GTEST_SKIP() << kOtherMalloc;
}

TEST(HeapBlocks, KnowsLargeBlocksAndThoseOfThreads) {
  void* large = malloc(3 << 20);
  void* of_thread = nullptr;
  void* second_of_thread = nullptr;
  std::thread([&] { of_thread = malloc(1000), second_of_thread = malloc(5000); }).join();
  HeldProcess held([] {});
  for (void* block : {large, of_thread, second_of_thread}) {
    if (!held.has_glibc_heap()) break;
    const ByteRange range{number(block), malloc_usable_size(block)};
    EXPECT_EQ(held.blocks().block_of(range.begin + 500), range);
  }
  free(large), free(of_thread), free(second_of_thread);
  if (!held.has_glibc_heap()) GTEST_SKIP() << kOtherMalloc;
}

TEST(HeapBlocks, FreedBlocksAreNone) {
  void* block = malloc(5000);
  void* behind = malloc(5000);  // or else the freed one joins what was never handed out
  HeldProcess held([&] { free(block); });
  if (held.has_glibc_heap()) {
    EXPECT_FALSE(held.blocks().block_of(number(block) + 100));
    EXPECT_TRUE(held.blocks().is_free(number(block) + 100));
    EXPECT_TRUE(held.blocks().block_of(number(behind)));
  }
  free(block), free(behind);
  if (!held.has_glibc_heap()) GTEST_SKIP() << kOtherMalloc;
}

TEST(HeapBlocks, StaticsAndTheStackHaveNone) {
  static int variable;
  int local = 0;
  HeldProcess held([] {});
  EXPECT_FALSE(held.blocks().block_of(address_of(variable)));
  EXPECT_FALSE(held.blocks().block_of(address_of(local)));
  EXPECT_FALSE(held.blocks().block_of(0));
  EXPECT_FALSE(held.blocks().block_of(UINT64_MAX));
  EXPECT_FALSE(HeapBlocks().block_of(address_of(variable)));
}

TEST(HeapBlocks, DamageEndsTheWalk) {
  FakeImage image(kHeap, 0x1000);
  image.put(kHeap + 8, 0x41);
  image.put(kHeap + 0x48, 0x31);
  image.put(kHeap + 0x78, 0x8);  // no size that a chunk can have
  const HeapBlocks blocks(image, heap_of(0x1000));
  EXPECT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks.block_of(kHeap + 0x20), (ByteRange{kHeap + 0x10, 0x38}));
  EXPECT_FALSE(blocks.block_of(kHeap + 0x80));
}

TEST(HeapBlocks, ChunksBeyondTheHeapAreDamage) {
  FakeImage image(kHeap, 0x1000);
  image.put(kHeap + 8, 0xfffffffffffffff1);
  EXPECT_EQ(HeapBlocks(image, heap_of(0x1000)).size(), 0u);
  image.put(kHeap + 8, 0x2001);
  EXPECT_EQ(HeapBlocks(image, heap_of(0x1000)).size(), 0u);
  EXPECT_EQ(HeapBlocks(image, heap_of(0x1000000)).size(), 0u);  // its end cannot be read
}

TEST(HeapBlocks, GarbageNeverHangs) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    FakeImage image(kHeap, 0x4000);
    for (std::uint64_t at = 0; at < 0x4000; at += 8) {
      image.put(kHeap + at, random.below(4) ? random.below(0x200) : random.next());
    }
    auto mappings = heap_of(0x4000);
    if (seed % 2) mappings[0].path.clear();
    const HeapBlocks blocks(image, mappings);
    for (std::uint64_t at = 0; at < 0x4000; at += 8) {
      const auto block = blocks.block_of(kHeap + at);
      EXPECT_TRUE(!block || block->end() <= kHeap + 0x4000) << seed;
    }
  }
}

}  // namespace
}  // namespace gordian::explain_test
