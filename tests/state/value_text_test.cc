// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/value_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <deque>
#include <forward_list>
#include <iostream>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "state/type_shape.h"
#include "tests/state/held_process.h"
#include "tests/state/type_builder.h"

namespace gordian::explain_test {
namespace {

class ValueText : public testing::Test {
 protected:
  template <class T>
  std::string text(const T& object, const Type* type, const TextLimits& limits = {}) {
    EXPECT_EQ(sizeof(T), type->size) << type->name;
    const ProcessImage image(getpid());
    const HeapBlocks blocks;
    return value_text({&image, &blocks}, names, *type, address_of(object), nullptr, limits);
  }
  TypeBuilder t;
  ProgramNames names;
};

TEST_F(ValueText, PlainValues) {
  EXPECT_EQ(text(true, t.boolean), "true");
  EXPECT_EQ(text('x', t.character), "'x'");
  EXPECT_EQ(text('\n', t.character), "'\\n'");
  EXPECT_EQ(text('\'', t.character), "'\\''");
  EXPECT_EQ(text(static_cast<unsigned char>(42), t.byte), "42");
  EXPECT_EQ(text(-7, t.int32), "-7");
  EXPECT_EQ(text(~0ul, t.uint64), "18446744073709551615");
  EXPECT_EQ(text(1.0, t.float64), "1");
  EXPECT_EQ(text(0.5, t.float64), "0.5");
  EXPECT_EQ(text(0.1f, t.float32), "0.1");
  EXPECT_EQ(text(1e300, t.float64), "1e+300");
  EXPECT_EQ(text(2.5L, t.float80), "2.5");
}

TEST_F(ValueText, Enumerators) {
  enum class Colour : unsigned char { red, green = 200 };
  Type& colour = t.add(TypeKind::enumeration, "Colour", 1);
  colour.enumerators = {{"red", 0}, {"green", 200}};
  EXPECT_EQ(text(Colour::green, &colour), "green");
  EXPECT_EQ(text(static_cast<Colour>(7), &colour), "7");
}

TEST_F(ValueText, BitFields) {
  struct Bits {
    unsigned a : 3, b : 5;
    int c : 4;
  };
  Type& type = t.structure("Bits", sizeof(Bits), {});
  type.members.push_back({"a", t.uint32, 0, 3, 0});
  type.members.push_back({"b", t.uint32, 0, 5, 3});
  type.members.push_back({"c", t.int32, 0, 4, 8});
  EXPECT_EQ(text(Bits{5, 17, -3}, &type), "{a = 5, b = 17, c = -3}");
}

TEST_F(ValueText, Strings) {
  const std::string longer = "a much longer prefix than any small buffer holds: ";
  EXPECT_EQ(text(std::string("log: "), t.string()), "\"log: \"");
  EXPECT_EQ(text(longer, t.string()), "\"" + longer + "\"");
  EXPECT_EQ(text(std::string("a\"b\\\n\x01\xff", 7), t.string()), R"("a\"b\\\n\x01\xff")");
  EXPECT_EQ(text(std::string("süß"), t.string()), "\"süß\"");
  EXPECT_EQ(text(std::string_view("view"), t.string_view()), "\"view\"");
  const char* pointer = "pointed";
  EXPECT_EQ(text(pointer, t.pointer(t.character)), "\"pointed\"");
  const char buffer[16] = "in a buffer";
  EXPECT_EQ(text(buffer, t.array(t.character, 16)), "\"in a buffer\"");
}

TEST_F(ValueText, LongValuesAreCut) {
  EXPECT_EQ(text(std::string(1000, 'x'), t.string(), {20, 64, 4}),
            "\"" + std::string(20, 'x') + "\"... (980 more)");
  std::vector<int> many(1000, 7);
  EXPECT_EQ(text(many, t.vector(t.int32), {8, 64, 4}), "{7, 7, 7, ... (997 more)}");
  std::list<int> list(1000, 7);
  EXPECT_EQ(text(list, t.list(t.int32), {8, 64, 4}), "{7, 7, 7, ... (997 more)}");
}

TEST_F(ValueText, Sequences) {
  EXPECT_EQ(text(std::vector<int>{}, t.vector(t.int32)), "{}");
  EXPECT_EQ(text(std::vector<int>{1, 2, 3}, t.vector(t.int32)), "{1, 2, 3}");
  EXPECT_EQ(text(std::vector<std::string>{"draft"}, t.vector(t.string())), "{\"draft\"}");
  EXPECT_EQ(text(std::vector<bool>{true, false}, t.bit_vector()), "{true, false}");
  EXPECT_EQ(text(std::array<int, 2>{4, 5}, t.std_array(t.int32, 2)), "{4, 5}");
  EXPECT_EQ(text(std::list<int>{1, 2}, t.list(t.int32)), "{1, 2}");
  EXPECT_EQ(text(std::list<char>{'a'}, t.list(t.character)), "{'a'}");
  EXPECT_EQ(text(std::forward_list<long>{1, 2}, t.forward_list(t.int64)), "{1, 2}");
  const int array[2][2] = {{1, 2}, {3, 4}};
  EXPECT_EQ(text(array, t.array(t.array(t.int32, 2), 2)), "{{1, 2}, {3, 4}}");
}

TEST_F(ValueText, DequesOfSeveralBlocks) {
  std::deque<long> deque;
  for (int i = 0; i < 300; ++i) deque.push_back(i);
  for (int i = 0; i < 290; ++i) deque.pop_front();
  deque.push_front(7);
  EXPECT_EQ(text(deque, t.deque(t.int64)), "{7, 290, 291, 292, 293, 294, 295, 296, 297, 298, 299}");
  EXPECT_EQ(text(std::deque<long>(), t.deque(t.int64)), "{}");
}

TEST_F(ValueText, MapsAndSets) {
  const std::map<std::string, std::string> aliases{{"rm", "rm -i"}, {"ll", "ls -l"}};
  EXPECT_EQ(text(aliases, t.map(t.string(), t.string())), R"({"ll": "ls -l", "rm": "rm -i"})");
  std::map<int, int> many;
  for (int i = 0; i < 9; ++i) many[i * 7 % 9] = i;
  EXPECT_EQ(text(many, t.map(t.int32, t.int32)),
            "{0: 0, 1: 4, 2: 8, 3: 3, 4: 7, 5: 2, 6: 6, 7: 1, 8: 5}");
  EXPECT_EQ(text(std::multimap<int, int>{{1, 2}, {1, 3}}, t.map(t.int32, t.int32, "multimap")),
            "{1: 2, 1: 3}");
  EXPECT_EQ(text(std::set<long>{3, 1, 2}, t.set(t.int64)), "{1, 2, 3}");
  EXPECT_EQ(
      text(std::unordered_map<int, std::string>{{3, "c"}}, t.unordered_map(t.int32, t.string())),
      "{3: \"c\"}");
  EXPECT_EQ(text(std::unordered_set<std::string>{"one"}, t.unordered_set(t.string())), "{\"one\"}");
}

TEST_F(ValueText, OneOrNone) {
  EXPECT_EQ(text(std::optional<int>(), t.optional(t.int32)), "nullopt");
  EXPECT_EQ(text(std::optional<int>(3), t.optional(t.int32)), "3");
  const Type* variant = t.variant({t.int32, t.string()});
  EXPECT_EQ((text(std::variant<int, std::string>(3), variant)), "3");
  EXPECT_EQ((text(std::variant<int, std::string>("x"), variant)), "\"x\"");
  EXPECT_EQ(text(std::atomic<int>(5), t.atomic(t.int32)), "5");
}

TEST_F(ValueText, Tuples) {
  using Tuple = std::tuple<int, double, bool>;
  const Tuple tuple{1, 2.5, true};
  auto offset = [&](const auto& part) { return address_of(part) - address_of(tuple); };
  const Type* type = t.tuple({{"", t.int32, offset(std::get<0>(tuple))},
                              {"", t.float64, offset(std::get<1>(tuple))},
                              {"", t.boolean, offset(std::get<2>(tuple))}});
  const_cast<Type*>(type)->size = sizeof tuple;
  EXPECT_EQ(text(tuple, type), "{1, 2.5, true}");
  EXPECT_EQ(text(std::pair<const int, double>(1, 2), t.pair(t.int32, t.float64)), "{1, 2}");
}

int twice(int value) {
  return 2 * value;
}

TEST_F(ValueText, Pointers) {
  int seven = 7;
  int* none = nullptr;
  int* some = &seven;
  EXPECT_EQ(text(none, t.pointer(t.int32)), "nullptr");
  EXPECT_EQ(text(some, t.pointer(t.int32)), "pointer to 7");
  int** twofold = &some;
  EXPECT_EQ(text(twofold, t.pointer(t.pointer(t.int32))), "pointer to pointer to 7");
  EXPECT_EQ(text(some, t.reference(t.int32)), "7");
  const Type* engine = &t.structure("Engine", 4, {{"power", t.int32, 0}});
  const Type* car = &t.structure("app::Car", 4, {{"doors", t.int32, 0}});
  EXPECT_EQ(text(some, t.pointer(engine)), "pointer to an Engine");
  EXPECT_EQ(text(some, t.pointer(car)), "pointer to an app::Car");
  EXPECT_EQ(text(reinterpret_cast<int*>(16), t.pointer(t.int32)), "pointer to nowhere (0x10)");
  names.object = [&](std::uint64_t at) { return at == address_of(seven) ? "g_seven" : ""; };
  EXPECT_EQ(text(some, t.pointer(t.int32)), "&g_seven");
}

TEST_F(ValueText, SmartPointers) {
  EXPECT_EQ(text(std::make_unique<int>(5), t.unique_ptr(t.int32)), "pointer to 5");
  EXPECT_EQ(text(std::unique_ptr<int>(), t.unique_ptr(t.int32)), "nullptr");
  auto shared = std::make_shared<int>(6);
  const std::weak_ptr<int> weak = shared;
  EXPECT_EQ(text(shared, t.shared_ptr(t.int32)), "pointer to 6");
  EXPECT_EQ(text(weak, t.shared_ptr(t.int32, "weak_ptr")), "pointer to 6");
  shared.reset();
  EXPECT_EQ(text(weak, t.shared_ptr(t.int32, "weak_ptr")), "expired");
}

TEST_F(ValueText, Functions) {
  names.function = [](std::uint64_t at) {
    return at == reinterpret_cast<std::uint64_t>(&twice) ? "twice" : "";
  };
  EXPECT_EQ(text(&twice, t.pointer(t.function)), "twice");
  EXPECT_EQ(text(std::function<int(int)>(twice), t.std_function()), "twice");
  EXPECT_EQ(text(std::function<int(int)>(), t.std_function()), "empty");
  EXPECT_EQ(text(std::function<int(int)>([](int x) { return x; }), t.std_function()), "a callable");
}

TEST_F(ValueText, NumbersWithUnits) {
  EXPECT_EQ(text(std::chrono::milliseconds(5), t.duration("1, 1000")), "5 ms");
  EXPECT_EQ(text(std::chrono::seconds(5), t.duration("1l, 1l")), "5 s");
  EXPECT_EQ(text(std::bitset<5>(6), t.bitset(5)), "00110");
  EXPECT_EQ(text(std::complex<double>(1, 2), t.complex(t.float64)), "{1, 2}");
}

TEST_F(ValueText, Streams) {
  const auto* plain = new std::ostream(nullptr);
  auto* hex = new std::ostream(std::cout.rdbuf());
  *hex << std::hex;
  hex->precision(3);
  hex->fill('*');
  const ProcessImage image(getpid());
  const HeapBlocks blocks;
  const MemoryView view{&image, &blocks};
  const Type& type = *t.ostream();
  EXPECT_EQ(value_text(view, names, type, address_of(*plain)), "dec, bad");
  EXPECT_EQ(value_text(view, names, type, address_of(*hex)), "hex, precision 3, fill '*'");
  delete plain;
  delete hex;
}

TEST_F(ValueText, Structures) {
  struct Inner {
    int a, b;
  };
  struct Outer {
    Inner inner;
    Inner* to;
  };
  const Type* inner = &t.structure("Inner", 8, {{"a", t.int32, 0}, {"b", t.int32, 4}});
  const Type* outer = &t.structure("Outer", 16, {{":", inner, 0}, {"to", t.pointer(inner), 8}});
  Inner target{3, 4};
  EXPECT_EQ(text(Outer{{1, 2}, &target}, outer), "{a = 1, b = 2, to = pointer to an Inner}");
  const int unknown[3] = {1, 2, 3};
  EXPECT_EQ(text(unknown, &t.structure("Unknown", 12, {})), "01 00 00 00 02 00 00 00 03 00 00 00");
}

TEST_F(ValueText, DamagedContainers) {
  std::uint64_t words[6] = {1, 2, 3, 4, 5, 6};
  auto at = [&](const Type* type) {
    const ProcessImage image(getpid());
    const HeapBlocks blocks;
    return value_text({&image, &blocks}, names, *type, address_of(words));
  };
  EXPECT_EQ(at(t.string()), "damaged");
  EXPECT_EQ(at(t.vector(t.int32)), "damaged");
  EXPECT_EQ(at(t.map(t.int32, t.int32)), "damaged");
  EXPECT_EQ(at(t.list(t.int32)), "damaged");
}

TEST_F(ValueText, TypeNames) {
  EXPECT_EQ(type_text(*t.string()), "std::string");
  EXPECT_EQ(type_text(*t.vector(t.string())), "std::vector<std::string>");
  EXPECT_EQ(type_text(*t.unique_ptr(t.int32)), "std::unique_ptr<int>");
}

}  // namespace
}  // namespace gordian::explain_test
