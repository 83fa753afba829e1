// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Real objects of this process, changed in a copy of it: what differs, and how it is called.
#include "state/value_compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <variant>

#include "tests/state/held_process.h"
#include "tests/state/type_builder.h"

namespace gordian::explain_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Lines = std::vector<std::string>;

class ValueCompare : public testing::Test {
 protected:
  TypeBuilder t;
  ProgramNames names;

  template <class T>
  Lines lines(const std::string& name, const T& object, const Type* type,
              const std::function<void()>& change) {
    return Changed(name, object, type, change, names).lines();
  }
};

/// Blocks of the heap at other addresses than without it.
void stir_heap() {
  for (int i = 0; i < 50; ++i) new std::string(static_cast<std::size_t>(10 + 20 * i), 'x');
}

TEST_F(ValueCompare, PlainVariables) {
  static int balance = 0;
  static double rate = 1;
  EXPECT_THAT(lines("g_balance", balance, t.int32, [] { balance = 50; }),
              ElementsAre("g_balance: 0 -> 50"));
  EXPECT_THAT(lines("g_rate", rate, t.float64, [] { rate = 0.5; }),
              ElementsAre("g_rate: 1 -> 0.5"));
  EXPECT_THAT(lines("g_rate", rate, t.float64, [] {}), IsEmpty());
}

TEST_F(ValueCompare, WordsAreTheBytesOfTheLeaf) {
  static int seats[8];
  const Changed changed("g_seats", seats, t.array(t.int32, 8), [] { seats[3] = 17; });
  EXPECT_THAT(changed.lines(), ElementsAre("g_seats[3]: 0 -> 17"));
  EXPECT_THAT(changed.found[0].words, ElementsAre(ByteRange{address_of(seats[3]), 4}));
  EXPECT_EQ(changed.found[0].old_words, changed.found[0].words);
  EXPECT_EQ(changed.found[0].type, "int");
}

TEST_F(ValueCompare, ManyElementsAreOneArray) {
  static int seats[6];
  EXPECT_THAT(lines("g", seats, t.array(t.int32, 6), [] { std::fill(seats, seats + 5, 1); }),
              ElementsAre("g: {0, 0, 0, 0, 0, 0} -> {1, 1, 1, 1, 1, 0}"));
  EXPECT_THAT(lines("g", seats, t.array(t.int32, 6), [] { seats[1] = seats[2] = 1; }),
              ElementsAre("g[1]: 0 -> 1", "g[2]: 0 -> 1"));
}

TEST_F(ValueCompare, AnArrayAsAWholeIsBareAndItsElementIsNot) {
  static int seats[6];
  const Type* array = t.array(t.int32, 6);
  const Changed whole("g", seats, array, [] { std::fill(seats, seats + 5, 1); });
  ASSERT_EQ(whole.found.size(), 1u);
  EXPECT_TRUE(whole.found[0].bare);
  const Changed element("g", seats, array, [] { seats[5] = 2; });
  ASSERT_EQ(element.found.size(), 1u);
  EXPECT_FALSE(element.found[0].bare);
}

TEST_F(ValueCompare, MembersOfMembers) {
  struct Net {
    int retries = 3;
    char padding_before = 'p';
    long timeout = 30;
  };
  struct Settings {
    int level = 1;
    Net net;
  };
  static Settings settings;
  const Type* net = &t.structure("Net", sizeof(Net),
                                 {{"retries", t.int32, offsetof(Net, retries)},
                                  {"padding_before", t.character, offsetof(Net, padding_before)},
                                  {"timeout", t.int64, offsetof(Net, timeout)}});
  const Type* type = &t.structure("Settings", sizeof(Settings),
                                  {{"level", t.int32, 0}, {"net", net, offsetof(Settings, net)}});
  auto change = [] {
    settings.net.retries = 0;
    reinterpret_cast<char*>(&settings.net)[offsetof(Net, padding_before) + 1] = 9;  // padding
  };
  EXPECT_THAT(lines("g_settings", settings, type, change),
              ElementsAre("g_settings.net.retries: 3 -> 0"));
}

TEST_F(ValueCompare, Strings) {
  static std::string prefix = "log: ";
  static std::string longer(100, 'x');
  EXPECT_THAT(
      lines("g_prefix", prefix, t.string(), [] { prefix = "longer than a small buffer is"; }),
      ElementsAre("g_prefix: \"log: \" -> \"longer than a small buffer is\""));
  EXPECT_THAT(lines("g", longer, t.string(),
                    [] { stir_heap(), longer = std::string(longer), longer.reserve(500); }),
              IsEmpty());
  const Changed in_place("g", longer, t.string(), [] { longer[50] = 'y'; });
  ASSERT_EQ(in_place.found.size(), 1u);
  EXPECT_FALSE(in_place.found[0].on_heap);
  ASSERT_EQ(in_place.found[0].words.size(), 1u);
  const ByteRange word = in_place.found[0].words[0];
  EXPECT_TRUE(word.begin <= address_of(longer[50]) && address_of(longer[50]) < word.end());
}

TEST_F(ValueCompare, SmallBuffersAfterTheEndMeanNothing) {
  static std::string name = "abcdefgh";
  auto change = [] { name = "ab", name.push_back('c'), name += "defgh"; };
  EXPECT_THAT(lines("g", name, t.string(), change), IsEmpty());
  static std::string shorter = "ab";
  EXPECT_THAT(lines("g", shorter, t.string(), [] { shorter = "abcdef", shorter = "ab"; }),
              IsEmpty());
}

TEST_F(ValueCompare, ContainersAreOneLeaf) {
  static std::vector<std::string> queue;
  const Changed changed("g_queue", queue, t.vector(t.string()), [] { queue.push_back("draft"); });
  EXPECT_THAT(changed.lines(), ElementsAre("g_queue: {} -> {\"draft\"}"));
  EXPECT_EQ(changed.found[0].words.size(), 3u);
  EXPECT_EQ(changed.found[0].words[0], (ByteRange{address_of(queue), 8}));
  static std::map<std::string, std::string> aliases{{"ll", "ls -l"}};
  EXPECT_THAT(lines("g", aliases, t.map(t.string(), t.string()), [] { aliases["rm"] = "rm -i"; }),
              ElementsAre(R"(g: {"ll": "ls -l"} -> {"ll": "ls -l", "rm": "rm -i"})"));
  static std::list<int> list{1, 2};
  EXPECT_THAT(lines("g", list, t.list(t.int32), [] { list.pop_front(); }),
              ElementsAre("g: {1, 2} -> {2}"));
  static std::set<int> set{1, 2};
  EXPECT_THAT(lines("g", set, t.set(t.int32), [] { set.erase(2), set.insert(3); }),
              ElementsAre("g: {1, 2} -> {1, 3}"));
}

TEST_F(ValueCompare, OneElementThatDiffersIsNamed) {
  struct User {
    int age, height;
  };
  const Type* user = &t.structure("User", 8, {{"age", t.int32, 0}, {"height", t.int32, 4}});
  static std::map<std::string, User> users{{"ann", {1, 2}}, {"bob", {3, 4}}};
  const Type* map = t.map(t.string(), user);
  EXPECT_THAT(lines("g_users", users, map, [] { users["bob"].age = 30; }),
              ElementsAre("g_users[\"bob\"].age: 3 -> 30 (heap)"));
  EXPECT_THAT(
      lines("g_users", users, map, [] { users["bob"].age = users["ann"].age = 9; }),
      ElementsAre("g_users: {\"ann\": {age = 1, height = 2}, \"bob\": {age = 3, height = 4}}"
                  " -> {\"ann\": {age = 9, height = 2}, \"bob\": {age = 9, height = 4}}"));
  static std::vector<int> numbers{1, 2, 3};
  EXPECT_THAT(lines("g", numbers, t.vector(t.int32), [] { numbers[1] = 9; }),
              ElementsAre("g[1]: 2 -> 9 (heap)"));
  static std::unordered_map<int, int> hash{{1, 10}, {2, 20}};
  EXPECT_THAT(lines("g", hash, t.unordered_map(t.int32, t.int32), [] { hash[2] = 21; }),
              ElementsAre("g[2]: 20 -> 21 (heap)"));
}

TEST_F(ValueCompare, EqualContentsElsewhereAreEqual) {
  static std::vector<std::string> names_{"a long name that lives on the heap", "b"};
  static std::map<int, std::string> map{{1, "one"}, {2, std::string(99, '2')}};
  static std::unordered_map<std::string, int> hash{{"x", 1}, {"y", 2}, {"z", 3}};
  auto change = [] {
    stir_heap();
    names_ = std::vector<std::string>(names_);
    names_.reserve(1000);
    map = {{2, std::string(99, '2')}, {1, "one"}};
    std::unordered_map<std::string, int> other(1000);
    other = {{"z", 3}, {"y", 2}};
    other.rehash(999);
    other["x"] = 1;
    hash.swap(other);
  };
  EXPECT_THAT(lines("g", names_, t.vector(t.string()), change), IsEmpty());
  EXPECT_THAT(lines("g", map, t.map(t.int32, t.string()), change), IsEmpty());
  EXPECT_THAT(lines("g", hash, t.unordered_map(t.string(), t.int32), change), IsEmpty());
}

TEST_F(ValueCompare, PathsThroughPointers) {
  struct Limits {
    int max_size = 10, max_depth = 4;
  };
  struct Profile {
    Limits* limits = new Limits;
  };
  static Profile* profile = new Profile;
  const Type* limits =
      &t.structure("Limits", 8, {{"max_size", t.int32, 0}, {"max_depth", t.int32, 4}});
  const Type* type = &t.structure("Profile", 8, {{"limits", t.pointer(limits), 0}});
  const Changed changed("g_profile", profile, t.pointer(type),
                        [] { profile->limits->max_size = 99; });
  EXPECT_THAT(changed.lines(), ElementsAre("g_profile->limits->max_size: 10 -> 99 (heap)"));
  EXPECT_THAT(changed.found[0].words,
              ElementsAre(ByteRange{address_of(profile->limits->max_size), 4}));
  auto renew = [] { stir_heap(), profile = new Profile; };
  EXPECT_THAT(lines("g_profile", profile, t.pointer(type), renew), IsEmpty());
}

TEST_F(ValueCompare, ContainersBehindPointers) {
  static auto* data = new std::vector<int>{1, 2, 3};
  EXPECT_THAT(
      lines("Shared::data_", data, t.pointer(t.vector(t.int32)), [] { data->push_back(4); }),
      ElementsAre("*Shared::data_: {1, 2, 3} -> {1, 2, 3, 4} (heap)"));
  EXPECT_THAT(lines("Shared::data_", data, t.pointer(t.vector(t.int32)), [] { data->at(1) = 9; }),
              ElementsAre("(*Shared::data_)[1]: 2 -> 9 (heap)"));
}

TEST_F(ValueCompare, PointersThemselves) {
  static int* slot = new int(7);
  static int one = 1, two = 2;
  EXPECT_THAT(lines("g_slot", slot, t.pointer(t.int32), [] { slot = nullptr; }),
              ElementsAre("g_slot: pointer to 7 -> nullptr"));
  EXPECT_THAT(lines("g_slot", slot, t.pointer(t.int32), [] { *slot = 8; }),
              ElementsAre("*g_slot: 7 -> 8 (heap)"));
  EXPECT_THAT(lines("g_slot", slot, t.pointer(t.int32), [] { stir_heap(), slot = new int(7); }),
              IsEmpty());
  static int* to_static = &one;
  EXPECT_THAT(lines("g", to_static, t.pointer(t.int32), [] { to_static = &two; }),
              ElementsAre("g: pointer to 1 -> pointer to 2"));
  static std::unique_ptr<int> token = std::make_unique<int>(5);
  EXPECT_THAT(lines("g_token", token, t.unique_ptr(t.int32), [] { token.release(); }),
              ElementsAre("g_token: pointer to 5 -> nullptr"));
}

TEST_F(ValueCompare, AnotherOfTwoEqualObjectsIsAChange) {
  struct Pair {
    int* first = new int(1);
    int* second = new int(1);
    int* chosen = first;
  };
  static Pair pair;
  const Type* to = t.pointer(t.int32);
  const Type* type =
      &t.structure("Pair", 24, {{"first", to, 0}, {"second", to, 8}, {"chosen", to, 16}});
  const auto found = lines("g", pair, type, [] { pair.chosen = pair.second; });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0], testing::StartsWith("g.chosen: pointer to 1 at 0x"));
}

TEST_F(ValueCompare, CStrings) {
  static const char* mode = "fast";
  static char other[] = "fast";
  static char buffer[32] = "text";
  const Type* to = t.pointer(t.character);
  EXPECT_THAT(lines("g", mode, to, [] { mode = other; }), IsEmpty());
  EXPECT_THAT(lines("g", mode, to, [] { mode = "slow"; }), ElementsAre("g: \"fast\" -> \"slow\""));
  EXPECT_THAT(lines("g", buffer, t.array(t.character, 32), [] { buffer[0] = 'n'; }),
              ElementsAre("g: \"text\" -> \"next\""));
  EXPECT_THAT(lines("g", buffer, t.array(t.character, 32), [] { buffer[20] = 'n'; }),
              ElementsAre("g[20]: '\\0' -> 'n'"));
}

TEST_F(ValueCompare, ArraysOnTheHeap) {
  if (!HeldProcess([] {}).has_glibc_heap()) GTEST_SKIP() << "another malloc";
  static int* numbers = new int[10]{};
  EXPECT_THAT(lines("g", numbers, t.pointer(t.int32), [] { numbers[7] = 1; }),
              ElementsAre("g[7]: 0 -> 1 (heap)"));
  static auto* names_ = new std::string[3];
  EXPECT_THAT(lines("g", names_, t.pointer(t.string()), [] { names_[2] = "x"; }),
              ElementsAre("g[2]: \"\" -> \"x\" (heap)"));
}

TEST_F(ValueCompare, CyclesEnd) {
  struct Node {
    Node* next;
    Node* previous;
    int value;
  };
  Type& node = t.structure("Node", sizeof(Node), {});
  const Type* to = t.pointer(&node);
  node.members = {{"next", to, 0}, {"previous", to, 8}, {"value", t.int32, 16}};
  static Node* ring = nullptr;
  for (int i = 0; i < 1000; ++i) {
    Node* made = new Node{ring, nullptr, i};
    if (ring) ring->previous = made, made->next = ring;
    ring = made;
  }
  Node* last = ring;
  while (last->next) last = last->next;
  last->next = ring, ring->previous = last;
  EXPECT_THAT(lines("g_ring", ring, to, [] { ring->next->next->value = 5; }),
              ElementsAre("g_ring->next->next->value: 997 -> 5 (heap)"));
  auto far = lines("g_ring", ring, to, [] {
    Node* at = ring;
    for (int i = 0; i < 500; ++i) at = at->next;
    at->value = -1;
  });
  ASSERT_EQ(far.size(), 1u);
  EXPECT_THAT(far[0], testing::EndsWith("->value: 499 -> -1 (heap)"));
  EXPECT_LT(far[0].size(), 250u);
}

TEST_F(ValueCompare, DynamicTypes) {
  struct Shape {
    virtual ~Shape() = default;
    int id = 1;
  };
  struct Circle : Shape {
    int radius = 5;
  };
  struct Square : Shape {
    int side = 5;
  };
  const Type* table = t.pointer(t.pointer(t.function));
  const Type* shape =
      &t.structure("Shape", sizeof(Shape), {{"_vptr.Shape", table, 0}, {"id", t.int32, 8}});
  const Type* circle =
      &t.structure("Circle", sizeof(Circle), {{":", shape, 0}, {"radius", t.int32, 12}});
  const Type* square =
      &t.structure("Square", sizeof(Square), {{":", shape, 0}, {"side", t.int32, 12}});
  static Shape* current = new Circle;
  const Square other;
  const std::uint64_t circles = *reinterpret_cast<std::uint64_t*>(current);
  const std::uint64_t squares = *reinterpret_cast<const std::uint64_t*>(&other);
  names.dynamic_type = [&](std::uint64_t at) {
    return at == circles ? circle : at == squares ? square : nullptr;
  };
  EXPECT_THAT(
      lines("g", current, t.pointer(shape), [] { static_cast<Circle*>(current)->radius = 6; }),
      ElementsAre("g->radius: 5 -> 6 (heap)"));
  EXPECT_THAT(lines("g", current, t.pointer(shape), [] { current = new Square; }),
              ElementsAre("g: pointer to a Circle -> pointer to a Square"));
}

TEST_F(ValueCompare, OpaquePointers) {
  if (!HeldProcess([] {}).has_glibc_heap()) GTEST_SKIP() << "another malloc";
  struct Hidden {
    long a = 1;
    long* to = new long(2);
  };
  static void* hidden = new Hidden;
  const Type* declared = t.pointer(&t.add(TypeKind::opaque, "Hidden", 0));
  EXPECT_THAT(lines("g", hidden, declared, [] { static_cast<Hidden*>(hidden)->a = 7; }),
              ElementsAre("*g: 1 -> 7 (heap)"));
  EXPECT_THAT(lines("g", hidden, t.pointer(nullptr), [] { *static_cast<Hidden*>(hidden)->to = 7; }),
              ElementsAre("**g: 2 -> 7 (heap)"));
}

TEST_F(ValueCompare, FreedTargets) {
  if (!HeldProcess([] {}).has_glibc_heap()) GTEST_SKIP() << "another malloc";
  static auto* large = new std::array<long, 1000>{};
  static long* behind = new long[1000];  // keeps the freed one apart from the end of the heap
  const Type* type = t.pointer(t.std_array(t.int64, 1000));
  const auto found = lines("g", large, type, [] { delete large, behind[0] = 1; });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0], testing::EndsWith("-> pointer to freed memory"));
}

int identity(int value) {
  return value;
}
int negation(int value) {
  return -value;
}

TEST_F(ValueCompare, Callables) {
  names.function = [](std::uint64_t at) {
    if (at == reinterpret_cast<std::uint64_t>(&identity)) return "identity";
    return at == reinterpret_cast<std::uint64_t>(&negation) ? "negation" : "";
  };
  static int (*plain)(int) = identity;
  static std::function<int(int)> filter = identity;
  EXPECT_THAT(lines("g", plain, t.pointer(t.function), [] { plain = negation; }),
              ElementsAre("g: identity -> negation"));
  EXPECT_THAT(lines("g_filter", filter, t.std_function(), [] { filter = negation; }),
              ElementsAre("g_filter: identity -> negation"));
  EXPECT_THAT(lines("g", filter, t.std_function(), [] { filter = std::function(filter); }),
              IsEmpty());
  EXPECT_THAT(lines("g", filter, t.std_function(), [] { filter = nullptr; }),
              ElementsAre("g: identity -> empty"));
}

TEST_F(ValueCompare, ClosuresAreNamedByTheirManagers) {
  names.function = [](std::uint64_t) {
    return "std::_Function_handler<int (int), app::run()::{lambda(int)#1}>::_M_manager(void*)";
  };
  static int by = 1;
  static std::function<int(int)> closure;
  EXPECT_THAT(
      lines("g", closure, t.std_function(), [] { closure = [](int value) { return value + by; }; }),
      ElementsAre("g: empty -> app::run()::{lambda(int)#1}"));
  names.function = [](std::uint64_t) { return ""; };
  auto adding = [](int much) { return [much](int value) { return value + much; }; };
  closure = adding(1);
  EXPECT_THAT(lines("g", closure, t.std_function(), [&] { closure = adding(2); }),
              ElementsAre("g: a callable -> a callable, with other captures"));
  EXPECT_THAT(lines("g", closure, t.std_function(), [&] { closure = adding(1); }), IsEmpty());
}

TEST_F(ValueCompare, WrappersKeepTheirNames) {
  static std::atomic<int> counter{1};
  static std::optional<int> maybe;
  static std::variant<int, std::string> either = 1;
  EXPECT_THAT(lines("g", counter, t.atomic(t.int32), [] { counter = 2; }),
              ElementsAre("g: 1 -> 2"));
  EXPECT_THAT(lines("g", maybe, t.optional(t.int32), [] { maybe = 2; }),
              ElementsAre("g: nullopt -> 2"));
  const Type* variant = t.variant({t.int32, t.string()});
  EXPECT_THAT(lines("g", either, variant, [] { either = "x"; }), ElementsAre("g: 1 -> \"x\""));
  EXPECT_THAT(lines("g", either, variant, [] { either = 2; }), ElementsAre("g: 1 -> 2"));
  static std::chrono::milliseconds limit{5};
  const Changed changed("g", limit, t.duration("1, 1000"), [] { limit *= 2; });
  EXPECT_THAT(changed.lines(), ElementsAre("g: 5 ms -> 10 ms"));
  static std::vector<bool> bits{true, false};
  EXPECT_THAT(lines("g", bits, t.bit_vector(), [] { bits[1] = true; }),
              ElementsAre("g: {true, false} -> {true, true}"));
}

TEST_F(ValueCompare, ManySmartPointers) {
  struct Item {
    int id = 1;
  };
  const Type* item = &t.structure("Item", 4, {{"id", t.int32, 0}});
  static std::vector<std::shared_ptr<Item>> items{std::make_shared<Item>(),
                                                  std::make_shared<Item>()};
  const Type* type = t.vector(t.shared_ptr(item));
  EXPECT_THAT(lines("g", items, type, [] { items[1]->id = 2; }),
              ElementsAre("g[1]->id: 1 -> 2 (heap)"));
}

TEST_F(ValueCompare, BudgetsAreKept) {
  static std::list<std::string> list(5000, "x");
  HeldProcess before([] {}), after([] { list.back() = "y"; });
  CompareOptions options;
  options.limits.nodes = 100;
  ValueComparer comparer(before.view(), after.view(), names, options);
  EXPECT_THAT(comparer.differences("g", *t.list(t.string()), address_of(list), address_of(list)),
              IsEmpty());
  EXPECT_TRUE(comparer.truncated());
}

/// The state of a variable of which only size and place are known.
Lines untyped_lines(const std::string& name, std::uint64_t address, std::uint64_t size,
                    const std::function<void()>& change) {
  const HeldProcess before([] {}), after(change);
  if (!before.has_glibc_heap()) return {"another malloc"};
  const ProgramNames names;
  ValueComparer comparer(before.view(), after.view(), names);
  return Changed::lines(comparer.untyped_differences(name, size, address, address));
}

TEST_F(ValueCompare, AStringIsKnownByItsShape) {
  static std::string level = "warning";
  const auto change = [](const char* to) { return [to] { level = to; }; };
  const std::uint64_t at = address_of(level);
  const Lines found = untyped_lines("g", at, sizeof level, change("info"));
  if (found == Lines{"another malloc"}) GTEST_SKIP() << "another malloc";
  EXPECT_THAT(found, ElementsAre("g: \"warning\" -> \"info\""));
  EXPECT_THAT(untyped_lines("g", at, sizeof level, change("one that does not fit into the object")),
              ElementsAre("g: \"warning\" -> \"one that does not fit into the object\""));
  EXPECT_THAT(untyped_lines("g", at, sizeof level, change("warning")), IsEmpty());
}

TEST_F(ValueCompare, NumbersAreNoStringByShape) {
  static std::uint64_t numbers[4] = {1, 2, 3, 4};
  const Lines found =
      untyped_lines("g", address_of(numbers), sizeof numbers, [] { numbers[1] = 9; });
  if (found == Lines{"another malloc"}) GTEST_SKIP() << "another malloc";
  EXPECT_THAT(found, ElementsAre("g: 2 (at +8) -> 9 (at +8)"));
}

TEST_F(ValueCompare, AStreamIsKnownByItsLayout) {
  const std::uint64_t at = address_of(std::cout);
  const Lines found = untyped_lines("cout", at, sizeof std::cout, [] {
    std::cout << std::hex << std::setprecision(3) << std::setfill('0');
  });
  if (found == Lines{"another malloc"}) GTEST_SKIP() << "another malloc";
  EXPECT_THAT(found, ElementsAre("cout: dec -> hex, precision 3, fill '0'"));
  EXPECT_THAT(untyped_lines("cin", address_of(std::cin), sizeof std::cin,
                            [] { std::cin.setstate(std::ios::failbit); }),
              ElementsAre("cin: dec -> dec, failed"));
}

TEST_F(ValueCompare, BytesOfTheSameSizeAreNoStream) {
  static std::uint64_t numbers[34];
  static_assert(sizeof numbers == sizeof std::cout);
  const Lines found =
      untyped_lines("g", address_of(numbers), sizeof numbers, [] { numbers[4] = 8; });
  if (found == Lines{"another malloc"}) GTEST_SKIP() << "another malloc";
  EXPECT_THAT(found, ElementsAre("g: 0 (at +32) -> 8 (at +32)"));
}

}  // namespace
}  // namespace gordian::explain_test
