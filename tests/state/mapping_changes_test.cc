// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/mapping_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "state/external/external_kinds.h"
#include "tests/state/fake_image.h"

namespace gordian {
namespace {

using explain_test::FakeImage;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kAt = 0x10000, kSize = 0x4000;

Mapping mapping(std::uint64_t begin, std::uint64_t end, const char* rights, std::string path = "") {
  return {TargetAddr{begin}, TargetAddr{end}, rights[0] == 'r', rights[1] == 'w',
          rights[2] == 'x',  std::move(path), rights[3] == 's'};
}

class MappingChanges : public testing::Test {
 protected:
  using Mappings = std::vector<Mapping>;

  std::vector<ExternalChange> found(const Mappings& before, const Mappings& after) {
    owners_.pointer_to = [this](ByteRange range) { return pointer_to(range); };
    const RangeSet changed = changed_ranges(before_, after_, after);
    return mapping_changes({before, {&before_, &heap_}}, {after, {&after_, &heap_}}, changed,
                           owners_);
  }
  /// "name (type) old -> new"; "-" for none.
  std::vector<std::string> lines(const Mappings& before, const Mappings& after) {
    std::vector<std::string> lines;
    for (const ExternalChange& change : found(before, after)) {
      const Carrier& c = change.carrier;
      EXPECT_EQ(c.key.kind(), CarrierKind::mapping);
      lines.push_back(c.key.text() + " (" + c.type + ") " + c.old_value.value_or("-") + " -> " +
                      c.new_value.value_or("-"));
    }
    return lines;
  }

  std::optional<PointingVariable> pointer_to(ByteRange range) const {
    if (pointer_ < range.begin || pointer_ >= range.end()) return std::nullopt;
    return PointingVariable{"*g_buffer", "a.cc", 3};
  }

  FakeImage before_{kAt, kSize}, after_{kAt, kSize};
  HeapBlocks heap_;
  MappingOwners owners_;
  std::uint64_t pointer_ = 0;
};

TEST_F(MappingChanges, NoneWhereNothingChanged) {
  const Mappings same{mapping(kAt, kAt + kSize, "rw-p"), mapping(kAt * 4, kAt * 5, "r-xp", "/lib")};
  EXPECT_THAT(lines(same, same), IsEmpty());
}

TEST_F(MappingChanges, MadeRemovedAndProtected) {
  const Mapping low = mapping(kAt, kAt + 0x1000, "rw-p");
  EXPECT_THAT(lines({}, {low}),
              ElementsAre("memory at 0x10000 (anonymous, 4 KiB) - -> readable, writable"));
  EXPECT_THAT(lines({low}, {}),
              ElementsAre("memory at 0x10000 (anonymous, 4 KiB) readable, writable -> -"));
  EXPECT_THAT(lines({low}, {mapping(kAt, kAt + 0x1000, "---p")}),
              ElementsAre("memory at 0x10000 (anonymous, 4 KiB) readable, writable -> no access"));
}

TEST_F(MappingChanges, APageInsideOfWhatTheKernelHadJoinedIsOneChange) {
  pointer_ = kAt + 0x1010;
  EXPECT_THAT(
      lines({mapping(kAt, kAt + kSize, "rw-p")},
            {mapping(kAt, kAt + 0x1000, "rw-p"), mapping(kAt + 0x1000, kAt + 0x2000, "r--p"),
             mapping(kAt + 0x2000, kAt + kSize, "rw-p")}),
      ElementsAre("*g_buffer (anonymous, 4 KiB) readable, writable -> readable"));
}

TEST_F(MappingChanges, ContentIsShownAndWatched) {
  std::fill(before_.bytes().begin() + 0x1000, before_.bytes().begin() + 0x3000, 7);
  pointer_ = kAt + 0x1000;
  const Mappings all{mapping(kAt, kAt + kSize, "rw-p")};
  EXPECT_THAT(lines(all, all),
              ElementsAre("*g_buffer (anonymous, 8 KiB) 07 07 07 07 07 07 07 07... -> "
                          "00 00 00 00 00 00 00 00..."));
  EXPECT_THAT(found(all, all)[0].words, ElementsAre(ByteRange{kAt + 0x1000, 8}));
}

TEST_F(MappingChanges, WhatHasANameAlreadyOrBelongsToOthersIsLeftOut) {
  before_.put(kAt + 0x1000, 1);
  const Mappings all{mapping(kAt, kAt + kSize, "rw-p")};
  owners_.named = RangeSet({{kAt + 0x1000, 8}});
  EXPECT_THAT(lines(all, all), IsEmpty());
  owners_ = {};
  owners_.others = RangeSet({{kAt, 0x2000}});
  EXPECT_THAT(lines(all, all), IsEmpty());
  owners_ = {};
  owners_.agents = RangeSet({{kAt, kSize}});
  EXPECT_THAT(lines(all, all), IsEmpty());
  pointer_ = kAt + 0x1000;  // then it is the program's after all
  EXPECT_EQ(lines(all, all).size(), 1u);
}

TEST_F(MappingChanges, LibrariesAreNotMadeByMapping) {
  EXPECT_THAT(lines({}, {mapping(kAt, kAt + 0x1000, "r--p", "/lib/libresolv.so.2"),
                         mapping(kAt + 0x1000, kAt + 0x2000, "r-xp", "/lib/libresolv.so.2")}),
              IsEmpty());
}

TEST_F(MappingChanges, StacksOfThreadsBelongToOthers) {
  const Mappings all{mapping(kAt, kAt + 0x1000, "---p"), mapping(kAt + 0x1000, kAt + kSize, "rw-p"),
                     mapping(kAt * 8, kAt * 9, "rw-p", "[heap]"),
                     mapping(kAt * 10, kAt * 11, "rw-p")};
  EXPECT_THAT(mappings_of_others(all),
              ElementsAre(ByteRange{kAt + 0x1000, kSize - 0x1000}, ByteRange{kAt * 8, kAt}));
}

TEST(MappingCalls, CountWhenTheirMemoryIsTheOneLookedFor) {
  FakeImage none(0, 0);
  StateEvents events;
  events.memory = ByteRange{0x10000, 0x2000};
  const auto counts = [&](long call, std::uint64_t a, std::uint64_t b) {
    TraceEvent event;
    event.kind = TraceKind::syscall;
    event.syscall = call;
    event.arguments = {a, b};
    return concerns(event, CarrierKind::mapping, true, events, none);
  };
  EXPECT_TRUE(counts(SYS_munmap, 0xf000, 0x1001));
  EXPECT_FALSE(counts(SYS_munmap, 0xf000, 0x1000));
  EXPECT_TRUE(counts(SYS_mprotect, 0x11000, 0x1000));
  EXPECT_TRUE(counts(SYS_mmap, 0, 0x1ffe));
  EXPECT_FALSE(counts(SYS_mmap, 0, 0x1000));
  EXPECT_TRUE(counts(SYS_read, 3, 0x10010));
  EXPECT_FALSE(counts(SYS_read, 3, 0x20000));
}

}  // namespace
}  // namespace gordian
