// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/debug_info.h"

#include <algorithm>
#include <set>

#include "symbols/elf_file.h"
#include "tests/symbols/debug_fixture.h"

namespace gordian {
namespace {

/// Every test for every compiler and way to store debug information.
class DebugInfoTest : public testing::TestWithParam<std::string> {
 protected:
  DebugInfoTest() : info_(opened(debug_fixture(GetParam()))) {}

  const Variable& variable(std::string_view name) {
    static const Variable kNone;
    const Variable* found = info_.variable_named(name);
    if (found == nullptr) ADD_FAILURE() << GetParam() << " has no " << name;
    return found == nullptr ? kNone : *found;
  }

  const Type& type(std::string_view name) {
    static const Type kNone;
    const Type* found = info_.type(variable(name).type_id);
    if (found == nullptr) ADD_FAILURE() << name << " has no type";
    return found == nullptr ? kNone : *found;
  }

  static const Member& member(const Type& type, std::string_view name) {
    static const Member kNone;
    const auto it = std::find_if(type.members.begin(), type.members.end(),
                                 [name](const Member& m) { return m.name == name; });
    if (it == type.members.end()) ADD_FAILURE() << type.name << " has no " << name;
    return it == type.members.end() ? kNone : *it;
  }

  std::uint64_t symbol(std::string_view mangled) {
    auto file = ElfFile::open(debug_fixture(GetParam()));
    EXPECT_TRUE(file.ok());
    const auto found = file->find(mangled);
    EXPECT_TRUE(found.has_value()) << mangled;
    return found ? found->vaddr : 0;
  }

  DebugInfo info_;
};

INSTANTIATE_TEST_SUITE_P(Builds, DebugInfoTest, testing::ValuesIn(debug_fixtures()),
                         [](const auto& build) { return build.param; });

TEST_P(DebugInfoTest, NamesVariablesAsTheSourceDoes) {
  for (std::string_view name : {"g_plain",
                                "kTable",
                                "app::g_limits",
                                "app::Limits::instances",
                                "app::Limits::inline_member",
                                "app::Pool<int>::used",
                                "app::Pool<char>::used",
                                "app::Pool<Key>::used",
                                "app::inline_counter",
                                "app::next_id()::last",
                                "hidden_in_file",
                                "Settings::instance()::settings",
                                "depth()::current",
                                "depth()::nested",
                                "app::touch_hidden()::calls",
                                "app::file_local",
                                "app::twice<int>()::last",
                                "app::twice<double>()::last",
                                "c_function()::c_local",
                                "t_first",
                                "app::t_second",
                                "per_thread()::local",
                                "in_lambda()::{lambda}()::calls",
                                "g_key_pool"}) {
    EXPECT_EQ(variable(name).owner, Owner::program) << name;
    EXPECT_NE(variable(name).type_id, 0u) << name;
  }
  EXPECT_TRUE(info_.has_types());
  EXPECT_TRUE(info_.notes().empty());
}

TEST_P(DebugInfoTest, EachPlaceIsListedOnceInOrder) {
  const auto place = [](const Variable& v) { return std::pair(v.thread_local_storage, v.address); };
  std::set<std::pair<bool, std::uint64_t>> seen;
  for (const Variable& v : info_.variables()) {
    EXPECT_TRUE(seen.empty() || *seen.rbegin() < place(v)) << v.name;
    EXPECT_FALSE(v.name.empty());
    seen.insert(place(v));
  }
}

TEST_P(DebugInfoTest, AddressesAreThoseOfTheSymbols) {
  EXPECT_EQ(variable("g_plain").address, symbol("g_plain"));
  EXPECT_EQ(variable("app::Pool<int>::used").address, symbol("_ZN3app4PoolIiE4usedE"));
  EXPECT_EQ(variable("depth()::current").address, symbol("_ZZ5depthiE7current"));
  EXPECT_EQ(info_.variable_at(symbol("g_grid") + 23)->name, "g_grid");
  EXPECT_EQ(info_.variable_at(1), nullptr);
}

TEST_P(DebugInfoTest, ThreadLocalVariablesHaveOffsets) {
  for (auto [name, mangled] :
       {std::pair("t_first", "t_first"), std::pair("app::t_second", "_ZN3app8t_secondE"),
        std::pair("per_thread()::local", "_ZZ10per_threadvE5local")}) {
    const Variable& v = variable(name);
    EXPECT_TRUE(v.thread_local_storage);
    EXPECT_EQ(v.address, symbol(mangled)) << name;
  }
  EXPECT_FALSE(variable("g_plain").thread_local_storage);
}

TEST_P(DebugInfoTest, SaysWhereAndHowLarge) {
  const Variable& plain = variable("g_plain");
  EXPECT_EQ(plain.line, marked_line("g_plain"));
  EXPECT_TRUE(plain.file.ends_with("fixtures/debug_variables.cc")) << plain.file;
  EXPECT_EQ(plain.size, 4u);
  EXPECT_TRUE(variable("app::inline_counter").file.ends_with("/debug_variables.h"));
  EXPECT_EQ(variable("depth()::current").line, marked_line("current"));
  const int line = variable("app::Limits::instances").line;
  EXPECT_TRUE(line == marked_line("instances") || line == marked_line("Limits::instances"));
  EXPECT_EQ(variable("g_grid").size, 24u);
  EXPECT_TRUE(variable("depth()::nested").local_static);
  EXPECT_FALSE(variable("app::Limits::instances").local_static);
}

TEST_P(DebugInfoTest, KnowsWhatTheLibraryOwns) {
  for (const Variable& v : info_.variables()) {
    if (v.name.starts_with("std::")) {
      EXPECT_EQ(v.owner, Owner::library) << v.name;
    }
  }
  ASSERT_NE(info_.variable_named("std::__ioinit"), nullptr);
}

TEST_P(DebugInfoTest, FindsTheGuardOfALocalStatic) {
  const Variable& settings = variable("Settings::instance()::settings");
  const auto guard = info_.guard_of(settings);
  ASSERT_TRUE(guard.has_value());
  EXPECT_EQ(*guard, symbol("_ZGVZN12_GLOBAL__N_18Settings8instanceEvE8settings"));
  EXPECT_FALSE(info_.guard_of(variable("depth()::current")).has_value());
}

TEST_P(DebugInfoTest, ReadsScalars) {
  const auto expect = [this](const char* name, TypeKind kind, std::uint64_t size,
                             std::string_view type_name) {
    EXPECT_EQ(type(name).kind, kind) << name;
    EXPECT_EQ(type(name).size, size) << name;
    EXPECT_EQ(type(name).name, type_name) << name;
  };
  expect("g_plain", TypeKind::integer, 4, "int");
  expect("g_qualified", TypeKind::integer, 8, "long");
  expect("g_byte", TypeKind::natural, 1, "unsigned char");
  expect("g_letter", TypeKind::character, 1, "char");
  expect("g_wide", TypeKind::character, 4, "char32_t");
  expect("g_flag", TypeKind::boolean, 1, "bool");
  expect("g_real", TypeKind::floating, 8, "double");
}

TEST_P(DebugInfoTest, ReadsEnumerations) {
  using Values = std::vector<std::pair<std::string, std::int64_t>>;
  EXPECT_EQ(type("g_colour").kind, TypeKind::enumeration);
  EXPECT_EQ(type("g_colour").name, "Colour");
  EXPECT_EQ(type("g_colour").size, 2u);
  EXPECT_EQ(type("g_colour").enumerators, (Values{{"red", -1}, {"green", 200}, {"blue", 201}}));
  EXPECT_EQ(type("g_mask").enumerators, (Values{{"low", 1}, {"high", 0x80000000}}));
}

TEST_P(DebugInfoTest, ReadsArraysOfArrays) {
  const Type& grid = type("g_grid");
  EXPECT_EQ(grid.kind, TypeKind::array);
  EXPECT_EQ(grid.name, "int[2][3]");
  EXPECT_EQ(grid.count, 2u);
  const Type* row = grid.target();
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->name, "int[3]");
  EXPECT_EQ(row->count, 3u);
  EXPECT_EQ(row->size, 12u);
  EXPECT_EQ(row->target()->name, "int");
}

TEST_P(DebugInfoTest, ReadsPointers) {
  EXPECT_EQ(type("g_void").kind, TypeKind::pointer);
  EXPECT_EQ(type("g_void").target(), nullptr);
  EXPECT_EQ(type("g_function").name, "int (*)(char, long)");
  EXPECT_EQ(type("g_function").target()->kind, TypeKind::function);
  const Type& limits = type("app::g_limits");
  const Type& next = *member(limits, "next").type;
  EXPECT_EQ(next.name, "app::Limits*");
  EXPECT_EQ(next.target(), &limits);
  EXPECT_FALSE(next.is_reference);
  EXPECT_TRUE(member(limits, "alias").type->is_reference);
}

TEST_P(DebugInfoTest, ReadsMembersBasesAndBitFields) {
  const Type& limits = type("app::g_limits");
  EXPECT_EQ(limits.kind, TypeKind::structure);
  EXPECT_EQ(limits.name, "app::Limits");
  EXPECT_EQ(limits.size, 48u);
  ASSERT_GE(limits.members.size(), 2u);
  EXPECT_TRUE(limits.members[0].is_base && limits.members[1].is_base);
  EXPECT_EQ(limits.members[1].type->name, "app::Base");
  EXPECT_EQ(member(*limits.members[1].type, "identity").offset, 8u);
  EXPECT_EQ(member(limits, "low").offset, 16u);
  EXPECT_EQ(member(limits, "low").bit_size, 3u);
  EXPECT_EQ(member(limits, "low").bit_offset, 0u);
  EXPECT_EQ(member(limits, "high").offset, 16u);
  EXPECT_EQ(member(limits, "high").bit_size, 7u);
  EXPECT_EQ(member(limits, "high").bit_offset, 3u);
  EXPECT_EQ(member(limits, "after").offset, 20u);
  EXPECT_EQ(member(limits, "after").bit_size, 0u);
  for (const Member& m : limits.members) EXPECT_EQ(m.name.find("in"), std::string::npos) << m.name;
}

TEST_P(DebugInfoTest, ReadsUnions) {
  const auto& members = type("app::g_limits").members;
  const auto it = std::find_if(members.begin(), members.end(),
                               [](const Member& m) { return m.name.empty() && !m.is_base; });
  ASSERT_NE(it, members.end());
  EXPECT_EQ(it->type->kind, TypeKind::union_type);
  EXPECT_EQ(it->offset, 24u);
  EXPECT_EQ(member(*it->type, "real").offset, 0u);
  EXPECT_EQ(type("app::g_word").kind, TypeKind::union_type);
  EXPECT_EQ(member(type("app::g_word"), "bits").type->name, "unsigned int");
}

TEST_P(DebugInfoTest, ReadsTemplateArguments) {
  const Type& vector = type("app::g_vector");
  EXPECT_EQ(vector.name, "std::vector<int, std::allocator<int> >");
  ASSERT_EQ(vector.type_arguments.size(), 2u);
  EXPECT_EQ(vector.type_arguments[0]->name, "int");
  const Type& pack = type("app::g_pack");
  ASSERT_EQ(pack.type_arguments.size(), 2u);
  EXPECT_EQ(pack.type_arguments[1]->name, "app::Limits");
  EXPECT_EQ(type("g_key_pool").name, "app::Pool<Key>");
}

TEST_P(DebugInfoTest, ATypeMayNameItselfAsAnArgument) {
  const Type& node = type("app::g_node");
  ASSERT_FALSE(node.members.empty());
  ASSERT_EQ(node.members[0].type->type_arguments.size(), 1u);
  EXPECT_EQ(node.members[0].type->type_arguments[0], &node);
  EXPECT_EQ(member(node, "children").type->kind, TypeKind::structure);
}

TEST_P(DebugInfoTest, CompletesWhatAUnitOnlyDeclares) {
  const Type* hidden = type("app::g_hidden").target();
  ASSERT_NE(hidden, nullptr);
  EXPECT_EQ(hidden->kind, TypeKind::structure);
  EXPECT_EQ(member(*hidden, "tag").type->name, "char[3]");
  const Type* named = info_.type_named("app::Hidden");
  ASSERT_NE(named, nullptr);
  EXPECT_EQ(named->size, 8u);
  EXPECT_EQ(info_.type_named("app::Nothing"), nullptr);
  EXPECT_EQ(info_.type_named("Key"), nullptr) << "of an anonymous namespace";
}

TEST_P(DebugInfoTest, StringsHaveTheirInsides) {
  const Type& text = type("app::g_text");
  EXPECT_TRUE(text.name.starts_with("std::__cxx11::basic_string<char")) << text.name;
  EXPECT_EQ(text.size, 32u);
}

TEST_P(DebugInfoTest, AnythingElseHasNoType) {
  EXPECT_EQ(info_.type(0), nullptr);
  EXPECT_EQ(info_.type(1), nullptr);
  EXPECT_EQ(info_.type(~std::uint64_t{0}), nullptr);
  EXPECT_EQ(info_.type(std::uint64_t{5} << 40 | 64), nullptr);
}

/// -g1: variables may be described, but neither their scopes nor their types are.
TEST(DebugInfoOfLinesOnly, NamesAreQualifiedAllTheSame) {
  for (const char* build : {"g_lines", "clang_lines"}) {
    if (!std::filesystem::exists(debug_fixture(build))) continue;
    const DebugInfo info = opened(debug_fixture(build));
    for (const char* name :
         {"g_plain", "app::g_limits", "app::Limits::instances", "app::Pool<int>::used"}) {
      const Variable* found = info.variable_named(name);
      ASSERT_NE(found, nullptr) << build << " has no " << name;
      EXPECT_EQ(found->owner, Owner::program) << name;
      EXPECT_GT(found->size, 0u) << name;
    }
    EXPECT_EQ(info.variable_named("instances"), nullptr) << build;
  }
}

}  // namespace
}  // namespace gordian
