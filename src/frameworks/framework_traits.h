// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is to be known of each test framework, apart from where its hooks are (framework_symbols.h):
// its names, its command line, its macros and listeners, and by what its own code and variables are
// told from the program's. A folder each, see frameworks.h. No code outside asks which framework it
// is: it asks for a trait.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/test.h"

namespace gordian {

/// A listener that a patch can add to the tests of a framework: the class `Isolation`, which calls
/// save() and put_back(Guards&) around each test. In GoogleTest it does so around each suite too:
/// else what SetUpTestSuite made would be undone after the first test.
struct ListenerSource {
  std::string code;                   ///< the class, and what registers it
  std::vector<std::string> includes;  ///< "<gtest/gtest.h>"
  bool in_main_header = true;         ///< every test file has these includes already
  /// A line that must stand before the header; empty: none. A file that holds one of `defined_by`
  /// has it already.
  std::string define{};
  std::vector<std::string> defined_by{};
  std::string define_reason{};  ///< "X needs a macro before its header for listeners"
};

using Words = std::span<const std::string_view>;

/// How a macro that makes a test takes its arguments.
enum class TestForm : std::uint8_t {
  suite_and_name,         ///< TEST(Suite, Name)
  fixture_and_name,       ///< TEST_F(Fixture, Name)
  title,                  ///< TEST_CASE("title", ...)
  fixture_and_title,      ///< TEST_CASE_METHOD(Fixture, "title", ...)
  name,                   ///< BOOST_AUTO_TEST_CASE(name, ...)
  name_and_fixture,       ///< BOOST_FIXTURE_TEST_CASE(name, Fixture, ...)
  fixture_and_plain_name  ///< BOOST_DATA_TEST_CASE_F(Fixture, name, ...)
};

struct TestMacro {
  std::string_view name;
  TestForm form;
  bool is_template;
  bool grouped = false;  ///< its suite is the path of the groups that are open, see GroupMacros
};

/// Macros that open and close a group of tests, whose name is not among the test's own arguments.
struct GroupMacros {
  std::string_view begin;               ///< BOOST_AUTO_TEST_SUITE(name); empty: there are none
  std::string_view begin_with_fixture;  ///< BOOST_FIXTURE_TEST_SUITE(name, Fixture)
  std::string_view end;
};

/// As they stand in a source: which make a test, which check, which skip.
struct FrameworkMacros {
  /// All of them may be spelled with it in front: "CATCH_". Empty: there is no such way.
  std::string_view prefix{};
  std::span<const TestMacro> tests;
  /// Macros that check something: these, and those that begin with or hold one of these.
  Words checks{}, checks_begin{}, checks_hold{};
  /// Skip the running test (GTEST_SKIP), or are a test that never runs (IGNORE_TEST). As spelled.
  Words skips{};
  /// Open a group of tests with arguments that may switch it off: TEST_SUITE.
  Words suites{};
  GroupMacros groups{};
  /// A source that holds one of these has fixtures for suites: TEST(Fixture, Name).
  Words suite_is_fixture{};
};

/// How source code gets at state of the framework's own.
struct FrameworkAccess {
  std::string code;     ///< an expression, or a call; empty: there is no way to it
  std::string name;     ///< what a guard of it is named after
  std::string include;  ///< empty: whoever uses it has it
  std::string reason;   ///< why so; may be empty
};

struct FrameworkTraits {
  Framework framework = Framework::unknown;
  std::string_view word;  ///< in the database: stays once released
  std::string_view name;  ///< as people write it

  // Its command line. Whatever is empty does not exist.
  std::string_view disabled_flag{};  ///< makes it run disabled tests too; empty: none is needed
  std::string_view filter_flag{};    ///< "--gtest_filter=", to which the name of one test is added
  /// Arguments that only choose among tests or shape the output: alone, or with a value after '='.
  /// Programs that differ in nothing else are one target.
  Words selecting_flags{};
  /// Likewise, with the value in the next argument.
  Words selecting_options{};
  /// Bytes in every program that uses it. Where they are, its selecting_options and a plain
  /// argument that is (part of) the name of a ctest test choose among tests too; elsewhere they are
  /// the program's own. Empty: it takes no such arguments.
  std::string_view mark{};
  /// Variables of the environment that choose tests or write files begin with this: not for
  /// programs that we start.
  std::string_view environment_prefix{};

  // What it can do, or can be made to.
  bool has_adapter = false;  ///< the agent can be linked in, where it cannot be preloaded
  /// Its own flags list tests and run them in its default order: see runtime/native/flags_driver.h.
  bool driven_by_flags = false;
  /// Shard i of n has every n-th test, from the i-th on.
  bool shards_round_robin = false;
  /// What its own shuffle makes of a seed; null: that is not known.
  Result<Order> (*shuffle)(const Suite& suite, std::uint32_t seed) = nullptr;
  /// A listener for this version that a patch can add; null: it has none.
  ListenerSource (*listener)(std::string_view version) = nullptr;
  /// A decorator that says that a test needs this one to run before it; null: it has none.
  std::string (*needs)(const Test& test) = nullptr;

  FrameworkMacros macros{};
  /// In the body of a typed test the type is called so; empty: as the macro's second argument says.
  std::string_view type_parameter{};

  // Whose code is it? Whose variable?
  Words libraries{};   ///< modules begin with these: "libgtest"
  Words namespaces{};  ///< its functions and variables: "testing::"
  Words folders{};     ///< its sources are in these: "/include/gtest/"
  Words file_stems{};  ///< or have names that begin with these: "gtest", "gmock"
  Words runners{};  ///< functions that call tests: what is further out is the same for every test
  Words entry_points{};  ///< its functions outside of its namespaces: "RUN_ALL_TESTS"
  /// The function is the body of a test, whatever namespace it is in; may be null.
  bool (*is_test_body)(std::string_view function) = nullptr;
  /// The variable was made by the macros that register a test; may be null.
  bool (*made_by_macro)(std::string_view variable) = nullptr;
  /// In the names of functions of a test, "Suite_Name_Test::"; null: nothing tells whose they are.
  std::string (*functions_of)(const Test& test) = nullptr;
  /// How the line ends that it prints before the message of a failure.
  std::string_view failure_head{};
  Words set_ups{};  ///< what comes before a test besides constructors, as its fixture has it
  /// Parts of the names of variables that every test changes and none looks at: the list of tests,
  /// results. What is reached from them has theirs in its own.
  Words bookkeeping{};
  /// Variables that begin with this are options, called by the rest: "testing::FLAGS_".
  std::string_view flag_prefix{};
  /// The option that such a name is of; null: source code has no access to them.
  FrameworkAccess (*option)(std::string_view name) = nullptr;
  /// The call that makes a variable of its own what it was at first; null: there is none.
  FrameworkAccess (*reset)(std::string_view variable) = nullptr;
};

/// Those that Gordian can drive.
std::span<const FrameworkTraits* const> all_frameworks();
/// REQUIRES: one of them.
const FrameworkTraits& traits_of(Framework framework);
/// nullptr: it is none of them (unknown, ctest).
const FrameworkTraits* find_traits(Framework framework);

template <class Fits>
bool any_framework(Fits fits) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    if (fits(*traits)) return true;
  }
  return false;
}

/// By the framework that has an answer; else empty.
FrameworkAccess access_to_option(std::string_view name);
FrameworkAccess access_to_reset(std::string_view variable);

bool starts_with_any(std::string_view text, Words prefixes);
/// "count" of "app::count".
std::string_view last_part(std::string_view name);

}  // namespace gordian
