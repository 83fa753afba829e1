// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/memory_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/state/fake_image.h"
#include "tests/state/held_process.h"
#include "tests/state/type_builder.h"

namespace gordian::explain_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Variables of this process, and what `change` does to them.
class MemoryDiffs : public testing::Test {
 protected:
  template <class T>
  LiveVariable& variable(std::string name, const T& object, const Type* type) {
    LiveVariable& live = variables.emplace_back();
    live.variable.name = std::move(name);
    live.variable.size = sizeof(T);
    live.variable.file = "app.cc";
    live.variable.line = 12;
    live.address = address_of(object);
    live.type = type;
    return live;
  }

  MemoryDiff diff(const std::function<void()>& change) {
    HeldProcess before([] {}), after(change);
    ProgramNames names;
    names.modules = modules_of(before.mappings());
    const RangeSet ranges = changed_ranges(before.image(), after.image(), after.mappings());
    return state_changes(variables, before.view(), after.view(), ranges, names);
  }

  static std::vector<std::string> lines(const std::vector<StateChange>& changes) {
    std::vector<std::string> lines;
    for (const StateChange& change : changes) {
      const Carrier& carrier = change.carrier;
      lines.push_back(std::string(to_string(carrier.key.kind())) + " " + carrier.key.text() + ": " +
                      carrier.old_value.value_or("none") + " -> " +
                      carrier.new_value.value_or("none"));
    }
    return lines;
  }

  TypeBuilder t;
  std::vector<LiveVariable> variables;
};

TEST_F(MemoryDiffs, NamesWhatChanged) {
  static int balance = 0, untouched = 0;
  variable("g_untouched", untouched, t.int32);
  variable("g_balance", balance, t.int32);
  const MemoryDiff found = diff([] { balance = 50; });
  EXPECT_THAT(lines(found.program), ElementsAre("variable g_balance: 0 -> 50"));
  const StateChange& change = found.program[0];
  EXPECT_EQ(change.carrier.file, "app.cc");
  EXPECT_EQ(change.carrier.line, 12);
  EXPECT_EQ(change.carrier.type, "int");
  EXPECT_EQ(change.root, (ByteRange{address_of(balance), 4}));
  EXPECT_THAT(change.words, ElementsAre(ByteRange{address_of(balance), 4}));
  EXPECT_FALSE(change.first_use);
  EXPECT_FALSE(found.truncated);
}

TEST_F(MemoryDiffs, OwnersAreKeptApart) {
  static int own = 0, framework = 0, library = 0;
  variable("framework", framework, t.int32).variable.owner = Owner::framework;
  variable("library", library, t.int32).variable.owner = Owner::library;
  variable("own", own, t.int32);
  const MemoryDiff found = diff([] { own = framework = library = 1; });
  EXPECT_THAT(lines(found.program), ElementsAre("variable own: 0 -> 1"));
  EXPECT_THAT(lines(found.others),
              ElementsAre("variable framework: 0 -> 1", "variable library: 0 -> 1"));
}

TEST_F(MemoryDiffs, FirstUseHasNoOldValueAndComesLast) {
  static char guard = 0;
  static int lazy = 0;
  static std::string later = "x";
  variable("lazy", lazy, t.int32).guard = address_of(guard);
  variable("later", later, t.string());
  const MemoryDiff found = diff([] { lazy = 3, guard = 1, later = "yy"; });
  EXPECT_THAT(lines(found.program),
              ElementsAre("variable later: \"x\" -> \"yy\"", "variable lazy: none -> 3"));
  EXPECT_TRUE(found.program[1].first_use);
}

TEST_F(MemoryDiffs, AGuardThatWasSetIsNoFirstUse) {
  static char guard = 1;
  static int used = 0;
  variable("used", used, t.int32).guard = address_of(guard);
  EXPECT_THAT(lines(diff([] { used = 3; }).program), ElementsAre("variable used: 0 -> 3"));
}

TEST_F(MemoryDiffs, SmallLeavesComeFirst) {
  static long wide = 0;
  static char narrow = 'a';
  variable("wide", wide, t.int64);
  variable("narrow", narrow, t.character);
  EXPECT_THAT(lines(diff([] { wide = 1, narrow = 'b'; }).program),
              ElementsAre("variable narrow: 'a' -> 'b'", "variable wide: 0 -> 1"));
}

TEST_F(MemoryDiffs, VariablesOfThreadsAndObjectsOnTheHeap) {
  static thread_local int error = 0;
  static int* slot = new int(7);
  variable("t_error", error, t.int32).variable.thread_local_storage = true;
  variable("g_slot", slot, t.pointer(t.int32));
  EXPECT_THAT(lines(diff([] { error = 22, *slot = 8; }).program),
              ElementsAre("thread_local t_error: 0 -> 22", "heap *g_slot: 7 -> 8"));
}

TEST_F(MemoryDiffs, WithoutTypes) {
  static int number = 1;
  static struct { long first = 1, second = 2, third = 3; } record;
  variable("number", number, nullptr);
  variable("record", record, nullptr);
  EXPECT_THAT(lines(diff([] { number = -2, record.second = 9; }).program),
              ElementsAre("variable number: 1 -> -2", "variable record: 2 (at +8) -> 9 (at +8)"));
}

TEST_F(MemoryDiffs, WordsWithoutTypesAreFollowed) {
  if (!HeldProcess([] {}).has_glibc_heap()) GTEST_SKIP() << "another malloc";
  static long* slot = new long(7);
  variable("slot", slot, nullptr);
  EXPECT_THAT(lines(diff([] { *slot = 8; }).program), ElementsAre("heap *slot: 7 -> 8"));
  EXPECT_THAT(lines(diff([] { new long[100], slot = new long(7); }).program), IsEmpty());
}

TEST_F(MemoryDiffs, PointersToVariablesDoNotNameThemTwice) {
  static int value = 1;
  static int* to = &value;
  variable("to", to, t.pointer(t.int32));
  variable("value", value, t.int32);
  EXPECT_THAT(lines(diff([] { value = 2; }).program), ElementsAre("variable value: 1 -> 2"));
}

TEST_F(MemoryDiffs, SharedObjectsAreNamedOnce) {
  static int* first = new int(1);
  static int* second = first;
  variable("first", first, t.pointer(t.int32));
  variable("second", second, t.pointer(t.int32));
  EXPECT_THAT(lines(diff([] { *first = 2; }).program), ElementsAre("heap *first: 1 -> 2"));
}

TEST_F(MemoryDiffs, ChangeAndBackIsNone) {
  static std::vector<int> numbers{1, 2};
  variable("numbers", numbers, t.vector(t.int32));
  EXPECT_THAT(lines(diff([] { numbers.push_back(3), numbers.pop_back(); }).program), IsEmpty());
}

TEST(ChangedRanges, AreGranulesOfEight) {
  FakeImage before(0x10000, 0x3000), after(0x10000, 0x3000);
  after.bytes()[0x0fff] = 1;
  after.bytes()[0x1001] = 1;
  after.bytes()[0x2ff0] = 1;
  const std::vector<Mapping> mappings{
      {TargetAddr{0x10000}, TargetAddr{0x13000}, true, true, false, ""}};
  EXPECT_THAT(changed_ranges(before, after, mappings).ranges(),
              ElementsAre(ByteRange{0x10ff8, 16}, ByteRange{0x12ff0, 8}));
}

TEST(ChangedRanges, PagesThatCameOrWentDiffer) {
  FakeImage before(0x10000, 0x1000), after(0x10000, 0x3000);
  const std::vector<Mapping> mappings{
      {TargetAddr{0x10000}, TargetAddr{0x14000}, true, true, false, ""}};
  EXPECT_THAT(changed_ranges(before, after, mappings).ranges(),
              ElementsAre(ByteRange{0x11000, 0x2000}));
}

TEST(ChangedRanges, ConstantsOfModulesButNoOtherReadOnlyMemory) {
  FakeImage before(0x10000, 0x1000), after(0x10000, 0x1000);
  after.bytes()[0x10] = 1;
  Mapping mapping{TargetAddr{0x10000}, TargetAddr{0x11000}, true, false, false, ""};
  EXPECT_TRUE(changed_ranges(before, after, {&mapping, 1}).empty());
  mapping.path = "/usr/bin/app";
  EXPECT_THAT(changed_ranges(before, after, {&mapping, 1}).ranges(),
              ElementsAre(ByteRange{0x10010, 8}));
  mapping.executable = true;
  EXPECT_TRUE(changed_ranges(before, after, {&mapping, 1}).empty());
}

TEST(ChangedRanges, ReservedAddressSpaceIsLeftOut) {
  FakeImage before(0x10000, 0x1000), after(0x10000, 0x1000);
  after.bytes()[0x10] = 1;
  const Mapping shadow{
      TargetAddr{0x10000}, TargetAddr{0x10000 + (1ul << 40)}, true, true, false, ""};
  EXPECT_TRUE(changed_ranges(before, after, {&shadow, 1}).empty());
}

TEST(RangeSet, MergesAndFinds) {
  const RangeSet set({{30, 5}, {10, 5}, {15, 2}, {100, 0}, {UINT64_MAX - 1, 10}});
  EXPECT_THAT(set.ranges(),
              ElementsAre(ByteRange{10, 7}, ByteRange{30, 5}, ByteRange{UINT64_MAX - 1, 1}));
  EXPECT_FALSE(set.touches({0, 10}));
  EXPECT_TRUE(set.touches({0, 11}));
  EXPECT_FALSE(set.touches({17, 13}));
  EXPECT_TRUE(set.touches({17, 14}));
  EXPECT_TRUE(set.contains(34));
  EXPECT_FALSE(set.contains(35));
  EXPECT_FALSE(set.touches({12, 0}));
}

}  // namespace
}  // namespace gordian::explain_test
