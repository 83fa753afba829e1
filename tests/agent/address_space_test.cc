// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/address_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>
#include <ostream>

namespace gordian_agent {

bool operator==(const Range& a, const Range& b) {
  return a.begin == b.begin && a.end == b.end;
}
void PrintTo(const Range& range, std::ostream* out) {
  *out << std::hex << range.begin << '-' << range.end;
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint8_t kRead = PROT_READ, kWritable = PROT_READ | PROT_WRITE;

Mapping anonymous(std::uint64_t begin, std::uint64_t end, std::uint8_t rights = kWritable) {
  Mapping m{};
  m.begin = begin;
  m.end = end;
  m.protection = rights;
  return m;
}

Mapping of_file(std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
                std::uint64_t inode = 7) {
  Mapping m = anonymous(begin, end, kRead);
  m.offset = offset;
  m.inode = inode;
  return m;
}

Mapping stack(std::uint64_t begin, std::uint64_t end) {
  Mapping m = anonymous(begin, end);
  m.stack = true;
  return m;
}

Mapping heap(std::uint64_t begin, std::uint64_t end) {
  Mapping m = anonymous(begin, end);
  m.heap = true;
  return m;
}

std::unique_ptr<AddressSpace> space(std::initializer_list<Mapping> mappings) {
  auto made = std::make_unique<AddressSpace>();
  for (const Mapping& m : mappings) made->at[made->count++] = m;
  return made;
}

struct Compared {
  std::vector<Range> added;
  bool lost;
};

Compared compare(std::initializer_list<Mapping> before, std::initializer_list<Mapping> now) {
  auto changes = std::make_unique<SpaceChanges>();
  compare_spaces(*space(before), *space(now), changes.get());
  return {{changes->added, changes->added + changes->count}, changes->lost};
}

void expect_same(const Compared& compared) {
  EXPECT_THAT(compared.added, IsEmpty());
  EXPECT_FALSE(compared.lost);
}

TEST(CompareSpaces, NothingChanged) {
  expect_same(compare({}, {}));
  expect_same(compare({anonymous(0x1000, 0x5000), of_file(0x9000, 0xa000, 0x2000)},
                      {anonymous(0x1000, 0x5000), of_file(0x9000, 0xa000, 0x2000)}));
}

TEST(CompareSpaces, SplitAndMergedMappingsAreTheSame) {
  expect_same(
      compare({anonymous(0x1000, 0x5000)}, {anonymous(0x1000, 0x2000), anonymous(0x2000, 0x5000)}));
  expect_same(
      compare({anonymous(0x1000, 0x2000), anonymous(0x2000, 0x5000)}, {anonymous(0x1000, 0x5000)}));
  expect_same(compare({of_file(0x1000, 0x5000, 0x4000)},
                      {of_file(0x1000, 0x2000, 0x4000), of_file(0x2000, 0x5000, 0x5000)}));
}

TEST(CompareSpaces, AddedMappingsAreListed) {
  Compared compared =
      compare({anonymous(0x3000, 0x4000)},
              {anonymous(0x1000, 0x2000), anonymous(0x3000, 0x4000), of_file(0x8000, 0x9000, 0)});
  EXPECT_THAT(compared.added, ElementsAre(Range{0x1000, 0x2000}, Range{0x8000, 0x9000}));
  EXPECT_FALSE(compared.lost);
}

TEST(CompareSpaces, AMappingThatGrewOnBothSidesIsAddedThere) {
  Compared compared = compare({anonymous(0x3000, 0x4000)}, {anonymous(0x2000, 0x6000)});
  EXPECT_THAT(compared.added, ElementsAre(Range{0x2000, 0x3000}, Range{0x4000, 0x6000}));
  EXPECT_FALSE(compared.lost);
}

TEST(CompareSpaces, NeighboursThatWereAddedAreOneRange) {
  Compared compared = compare({}, {anonymous(0x1000, 0x2000), anonymous(0x2000, 0x3000, kRead)});
  EXPECT_THAT(compared.added, ElementsAre(Range{0x1000, 0x3000}));
}

TEST(CompareSpaces, LostMappings) {
  EXPECT_TRUE(compare({anonymous(0x1000, 0x2000)}, {}).lost);
  EXPECT_TRUE(compare({anonymous(0x1000, 0x4000)}, {anonymous(0x1000, 0x3000)}).lost);
  EXPECT_TRUE(compare({anonymous(0x1000, 0x4000)}, {anonymous(0x2000, 0x4000)}).lost);
  EXPECT_TRUE(
      compare({anonymous(0x1000, 0x4000)}, {anonymous(0x1000, 0x2000), anonymous(0x3000, 0x4000)})
          .lost);
}

TEST(CompareSpaces, AMovedMappingIsLostAndAdded) {
  Compared compared = compare({anonymous(0x1000, 0x2000)}, {anonymous(0x7000, 0x8000)});
  EXPECT_TRUE(compared.lost);
  EXPECT_THAT(compared.added, ElementsAre(Range{0x7000, 0x8000}));
}

TEST(CompareSpaces, ChangedRightsAreALoss) {
  EXPECT_TRUE(compare({anonymous(0x1000, 0x2000)}, {anonymous(0x1000, 0x2000, kRead)}).lost);
  EXPECT_TRUE(compare({anonymous(0x1000, 0x4000)},
                      {anonymous(0x1000, 0x2000), anonymous(0x2000, 0x3000, PROT_NONE),
                       anonymous(0x3000, 0x4000)})
                  .lost);
}

TEST(CompareSpaces, AnotherSourceIsALoss) {
  EXPECT_TRUE(compare({of_file(0x1000, 0x2000, 0)}, {of_file(0x1000, 0x2000, 0x1000)}).lost);
  EXPECT_TRUE(compare({of_file(0x1000, 0x2000, 0, 7)}, {of_file(0x1000, 0x2000, 0, 8)}).lost);
  EXPECT_TRUE(compare({of_file(0x1000, 0x2000, 0)}, {anonymous(0x1000, 0x2000, kRead)}).lost);
  Mapping shared = anonymous(0x1000, 0x2000);
  shared.shared = true;
  EXPECT_TRUE(compare({anonymous(0x1000, 0x2000)}, {shared}).lost);
}

TEST(CompareSpaces, TheStackMayGrowAndNotShrink) {
  expect_same(compare({stack(0x8000, 0x9000)}, {stack(0x5000, 0x9000)}));
  EXPECT_TRUE(compare({stack(0x5000, 0x9000)}, {stack(0x8000, 0x9000)}).lost);
}

TEST(CompareSpaces, TheHeapMayGrowAndNotShrink) {
  expect_same(compare({heap(0x1000, 0x2000)}, {heap(0x1000, 0x9000)}));
  expect_same(compare({heap(0x1000, 0x2000)}, {heap(0x1000, 0x2000), heap(0x2000, 0x9000)}));
  EXPECT_TRUE(compare({heap(0x1000, 0x9000)}, {heap(0x1000, 0x2000)}).lost);
}

TEST(CompareSpaces, MoreThanCanBeListedIsALoss) {
  auto before = space({}), now = space({});
  for (std::uint64_t i = 0; i <= SpaceChanges::kMost; ++i) {
    now->at[now->count++] = anonymous(i * 0x2000, i * 0x2000 + 0x1000);
  }
  auto changes = std::make_unique<SpaceChanges>();
  compare_spaces(*before, *now, changes.get());
  EXPECT_TRUE(changes->lost);
  EXPECT_EQ(changes->count, SpaceChanges::kMost);
}

/// The real thing: this very process.
TEST(ReadAddressSpace, FindsANewMappingAndItsRights) {
  auto before = std::make_unique<AddressSpace>(), now = std::make_unique<AddressSpace>();
  auto changes = std::make_unique<SpaceChanges>();
  ASSERT_TRUE(read_address_space(before.get()));
  void* place = reinterpret_cast<void*>(0x2000'0000'0000);
  void* made =
      mmap(place, 0x3000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(made, place);
  ASSERT_TRUE(read_address_space(now.get()));
  compare_spaces(*before, *now, changes.get());
  EXPECT_FALSE(changes->lost);
  bool found = false;
  for (int i = 0; i < changes->count; ++i) {
    found = found || changes->added[i] == Range{0x2000'0000'0000, 0x2000'0000'3000};
  }
  EXPECT_TRUE(found);
  *before = *now;
  ASSERT_EQ(mprotect(made, 0x1000, PROT_READ | PROT_WRITE), 0);
  ASSERT_TRUE(read_address_space(now.get()));
  compare_spaces(*before, *now, changes.get());
  EXPECT_TRUE(changes->lost);
  munmap(made, 0x3000);
}

}  // namespace
}  // namespace gordian_agent
