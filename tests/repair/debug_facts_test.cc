// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace gordian {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(LexInitializer, TakesWhatStandsBehindTheName) {
  EXPECT_EQ(lex_initializer("int x = 2;", 1, "x"), "2");
  EXPECT_EQ(lex_initializer("a::V v{1, {2}};", 1, "v"), "{1, {2}}");
  EXPECT_EQ(lex_initializer("std::string s(3, 'x'), t;", 1, "s"), "(3, 'x')");
  EXPECT_EQ(lex_initializer("int a[2] = {1,\n 2};  // so\n", 1, "a"), "{1,\n 2}");
  EXPECT_EQ(lex_initializer("int x;", 1, "x"), "");
  EXPECT_EQ(lex_initializer("int y = 1;\nint x = 3;", 1, "x"), "") << "not on this line";
  EXPECT_EQ(lex_initializer("int x = 1", 1, "x"), "") << "never ends";
}

class DebugFacts : public testing::Test {
 protected:
  static SourceFacts of(const std::string& suite, const std::string& source = "") {
    const auto read = [&](const std::string& file) -> std::optional<std::string> {
      return file == "/p/test.cc" ? std::optional(source) : std::nullopt;
    };
    auto facts =
        debug_facts({"/p/test.cc", "/p/lost.cc"},
                    std::string(GORDIAN_ZOO_BINARIES) + "/guilty/" + suite, std::nullopt, read);
    EXPECT_TRUE(facts.ok()) << facts.error().message;
    return facts.ok() ? std::move(*facts) : SourceFacts();
  }
};

TEST_F(DebugFacts, AGlobalCanBeNamed) {
  const auto facts = of("global_int");
  const StateFact* state = facts.state("g_balance");
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->expression, "::g_balance");
  EXPECT_EQ(state->type, "int");
  EXPECT_EQ(state->kind, StateKind::global);
  EXPECT_EQ(state->copyable, Known::yes);
  EXPECT_FALSE(state->internal);
  EXPECT_THAT(state->file, HasSubstr("global_int.cc"));
  EXPECT_FALSE(facts.by_compiler);
}

TEST_F(DebugFacts, ASingletonIsReachedThroughItsFunction) {
  const auto facts = of("singleton");
  const StateFact* state = facts.state("Settings::instance()::settings.verbosity_");
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->kind, StateKind::local_static);
  EXPECT_EQ(state->expression, "");
  EXPECT_EQ(state->type, "::Settings");
  const auto accessor =
      std::find_if(facts.accessors.begin(), facts.accessors.end(),
                   [&](const AccessorFact& fact) { return fact.state == state->name; });
  ASSERT_NE(accessor, facts.accessors.end());
  EXPECT_EQ(accessor->expression, "::Settings::instance()");
  EXPECT_EQ(accessor->access, Access::open);
  ASSERT_EQ(state->members.size(), 1u);
  EXPECT_EQ(state->members[0].name, "verbosity_");
  EXPECT_EQ(state->members[0].access, Access::closed);
}

/// A copy: what is not found has no type.
StateFact found(const SourceFacts& facts, const std::string& name) {
  const StateFact* state = facts.state(name);
  EXPECT_NE(state, nullptr) << name;
  return state == nullptr ? StateFact() : *state;
}

TEST_F(DebugFacts, AccessAndLinkageAreKnown) {
  EXPECT_EQ(found(of("class_static"), "Session::open_").kind, StateKind::class_static);
  EXPECT_EQ(found(of("class_static"), "Session::open_").access, Access::closed);
  EXPECT_TRUE(found(of("anonymous_namespace"), "warnings").internal);
  EXPECT_TRUE(found(of("thread_local_state"), "t_last_error").is_thread_local);
  EXPECT_EQ(found(of("heap_behind_pointer"), "g_profile->limits").pointee, "::Profile");
}

TEST_F(DebugFacts, TestsComeFromTheLexer) {
  const auto facts = of("global_int", "TEST(A, B) {\n  int x = 1;\n}\n");
  ASSERT_EQ(facts.tests.size(), 1u);
  EXPECT_EQ(facts.tests[0].suite, "A");
  EXPECT_THAT(facts.notices, Contains(HasSubstr("/p/lost.cc")));
}

TEST_F(DebugFacts, AProgramMustHaveDebugInformation) {
  const auto facts =
      debug_facts({}, "/bin/true", std::nullopt, [](const std::string&) { return std::nullopt; });
  EXPECT_FALSE(facts.ok());
}

}  // namespace
}  // namespace gordian
