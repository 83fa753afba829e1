// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/net_effect.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <memory>

#include "flow/watch/collected_states.h"

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using What = MappingChange::What;

StateChange changed(std::string type, ByteRange object, std::vector<ByteRange> words) {
  StateChange change;
  change.carrier.type = std::move(type);
  change.object = change.old_object = object;
  change.words = change.old_words = std::move(words);
  return change;
}

TEST(ChooseWords, OfAValueTheValue) {
  NetChange chosen;
  choose_words(changed("int", {0x1004, 4}, {{0x1004, 4}}), 24, chosen);
  EXPECT_THAT(chosen.words, ElementsAre(ByteRange{0x1004, 4}));
  EXPECT_TRUE(chosen.scalar);
  EXPECT_FALSE(chosen.partial);
}

TEST(ChooseWords, OfAContainerEveryWordThoseThatChangedFirst) {
  NetChange chosen;
  choose_words(changed("std::vector<int>", {0x1000, 24}, {{0x1008, 8}}), 24, chosen);
  EXPECT_THAT(chosen.words,
              ElementsAre(ByteRange{0x1008, 8}, ByteRange{0x1000, 8}, ByteRange{0x1010, 8}));
  EXPECT_FALSE(chosen.scalar);
}

TEST(ChooseWords, OfAnArrayOnlyWhatChanged) {
  NetChange chosen;
  StateChange change = changed("int[1000]", {0x1000, 4000}, {{0x1010, 4}});
  change.bare = true;
  choose_words(change, 24, chosen);
  EXPECT_THAT(chosen.words, ElementsAre(ByteRange{0x1010, 4}));
  EXPECT_FALSE(chosen.partial);
}

TEST(ChooseWords, WhatIsTooLargeSaysSo) {
  NetChange chosen;
  StateChange change = changed("char[100]", {0x1000, 100}, {{0x1000, 100}});
  change.bare = true;
  choose_words(change, 4, chosen);
  EXPECT_EQ(chosen.words.size(), 4u);
  EXPECT_TRUE(chosen.partial);
  NetChange object;
  choose_words(changed("Huge", {0x1000, 4000}, {{0x1010, 8}}), 4, object);
  EXPECT_TRUE(object.partial);
}

Mapping mapping(std::uint64_t begin, std::uint64_t end, std::string path = "",
                bool writable = true) {
  return {TargetAddr(begin), TargetAddr(end), true, writable, false, std::move(path)};
}

TEST(AddressSpaceChanges, JoinedAndSplitNeighboursAreNoChange) {
  EXPECT_THAT(address_space_changes(std::vector{mapping(0x1000, 0x2000), mapping(0x2000, 0x3000)},
                                    std::vector{mapping(0x1000, 0x3000)}),
              IsEmpty());
}

TEST(AddressSpaceChanges, NamesWhatHappened) {
  const std::vector before{mapping(0x1000, 0x2000), mapping(0x5000, 0x6000, "[heap]"),
                           mapping(0x9000, 0xa000), mapping(0xf000, 0xff00, "[stack]")};
  const std::vector after{mapping(0x1000, 0x2000, "", false), mapping(0x5000, 0x7000, "[heap]"),
                          mapping(0xb000, 0xc000), mapping(0xc000, 0xd000, "/lib/libz.so"),
                          mapping(0xe000, 0xff00, "[stack]")};
  EXPECT_THAT(
      address_space_changes(before, after),
      testing::UnorderedElementsAre(MappingChange{What::rights, "rights of memory at 0x1000"},
                                    MappingChange{What::heap_end, "heap end"},
                                    MappingChange{What::removed, "memory at 0x9000"},
                                    MappingChange{What::added, "memory mapped"},
                                    MappingChange{What::loaded, "libz.so"}));
}

TEST(SuiteFixtures, OnlyTheClassesOfTheProgramCount) {
  EXPECT_TRUE(sets_up_suites("_ZN6Shared14SetUpTestSuiteEv"));
  EXPECT_TRUE(sets_up_suites("_ZN3app2db16TearDownTestCaseEv"));
  EXPECT_FALSE(sets_up_suites("_ZN7testing4Test14SetUpTestSuiteEv"));
  EXPECT_FALSE(sets_up_suites("_ZN7testing9TestSuite17RunSetUpTestSuiteEv"));
  EXPECT_FALSE(sets_up_suites("_ZN6Shared5SetUpEv"));
}

/// The test program's own memory.
class OwnMemory : public MemoryImage {
 public:
  bool read(std::uint64_t address, void* to, std::size_t size) const override {
    return ProcessImage(getpid()).read(address, to, size);
  }
};

TEST(Allocator, ItsStateIsFoundInTheCLibrary) {
  const auto found = allocator_state(OwnMemory(), read_mappings(getpid()));
  if (!found) GTEST_SKIP() << "this program has another malloc";
  EXPECT_EQ(found->size, 0x70u + 127 * 16 + 0x38);
  // The end of the heap stands in it, and moves with it.
  const std::vector<std::uint64_t> before = [&] {
    std::vector<std::uint64_t> words(found->size / 8);
    OwnMemory().read(found->begin, words.data(), found->size);
    return words;
  }();
  std::vector<std::unique_ptr<char[]>> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(std::make_unique<char[]>(3000));
  std::vector<std::uint64_t> after(before.size());
  OwnMemory().read(found->begin, after.data(), found->size);
  EXPECT_NE(before, after);
}

}  // namespace
}  // namespace gordian
