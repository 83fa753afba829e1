// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "frameworks/framework_traits.h"
#include "frameworks/frameworks.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

/// What catch_discover_tests adds, beside the name of the test.
constexpr std::array kSelectingOptions = {"--reporter"sv, "--out"sv};
constexpr std::array kLibraries = {"libCatch2"sv};
constexpr std::array kNamespaces = {"Catch::"sv};
constexpr std::array kFolders = {"/include/catch2/"sv, "/src/catch2/"sv, "/single_include/"sv};
constexpr std::array kStems = {"catch"sv};
constexpr std::array kRunners = {"Catch::TestInvokerAsFunction::invoke"sv,
                                 "Catch::TestInvokerAsMethod"sv,
                                 "Catch::TestInvokerFixture"sv,
                                 "Catch::(anonymous namespace)::TestInvokerAs"sv,
                                 "Catch::TestCase::invoke"sv,
                                 "Catch::TestCaseHandle::invoke"sv,
                                 "Catch::RunContext::"sv,
                                 "Catch::Session::"sv};

constexpr std::array kTests = {
    TestMacro{"TEST_CASE", TestForm::title, false},
    TestMacro{"SCENARIO", TestForm::title, false},
    TestMacro{"TEST_CASE_METHOD", TestForm::fixture_and_title, false},
    TestMacro{"TEST_CASE_PERSISTENT_FIXTURE", TestForm::fixture_and_title, false},
    TestMacro{"SCENARIO_METHOD", TestForm::fixture_and_title, false},
    TestMacro{"TEMPLATE_TEST_CASE", TestForm::title, true},
    TestMacro{"TEMPLATE_TEST_CASE_SIG", TestForm::title, true},
    TestMacro{"TEMPLATE_PRODUCT_TEST_CASE", TestForm::title, true},
    TestMacro{"TEMPLATE_LIST_TEST_CASE", TestForm::title, true},
    TestMacro{"TEMPLATE_TEST_CASE_METHOD", TestForm::fixture_and_title, true},
    TestMacro{"TEMPLATE_LIST_TEST_CASE_METHOD", TestForm::fixture_and_title, true},
    TestMacro{"TEMPLATE_PRODUCT_TEST_CASE_METHOD", TestForm::fixture_and_title, true},
};
constexpr std::array kChecks = {"CHECK"sv, "REQUIRE"sv, "FAIL"sv, "FAIL_CHECK"sv, "SUCCEED"sv};
constexpr std::array kChecksBegin = {"REQUIRE_"sv, "CHECK_"sv};
constexpr std::array kSkips = {"SKIP"sv, "CATCH_SKIP"sv};
/// The run with its totals, saved signal handlers, streams for messages, lines it prints.
constexpr std::array kBookkeeping = {"Catch::IMutableContext::currentContext"sv,
                                     "Catch::Context::currentContext"sv,
                                     "Catch::oldSigActions"sv,
                                     "Catch::oldSigStack"sv,
                                     "Catch::getSingletons()"sv,
                                     "Catch::Singleton<Catch::StringStreams"sv,
                                     "Catch::getLineOfChars<"sv};

constexpr auto kTest2 = "____C_A_T_C_H____"sv;
constexpr auto kTest3 = "CATCH2_INTERNAL_T"sv;

/// What TEST_CASE and its kin make of a test: a function, or a class with a test().
bool is_test_body(std::string_view function) {
  return function.find(kTest2) != std::string_view::npos ||
         function.find(kTest3) != std::string_view::npos;
}

/// "autoRegistrar7" beside each test, and what TEMPLATE_TEST_CASE registers its types with.
bool made_by_macro(std::string_view variable) {
  const std::string_view last = last_part(variable);
  return last.starts_with("autoRegistrar") || last.starts_with(kTest2) || last.starts_with(kTest3);
}

/// BASE is called differently in the two versions.
constexpr std::string_view kListener = R"(
class Isolation : public Catch::BASE {
 public:
  using BASE::BASE;
  void testCaseStarting(const Catch::TestCaseInfo&) override { test_ = save(); }
  void testCaseEnded(const Catch::TestCaseStats&) override { put_back(test_); }

 private:
  Guards test_;
};
CATCH_REGISTER_LISTENER(Isolation)
)";

/// From 3 on it has other headers and names.
bool is_version_3(std::string_view version) {
  return version.starts_with("3") || version.starts_with("4");
}

std::string listener_on(std::string_view base) {
  constexpr std::string_view kBase = "BASE";
  std::string code(kListener);
  for (std::size_t at; (at = code.find(kBase)) != std::string::npos;) {
    code.replace(at, kBase.size(), base);
  }
  return code;
}

ListenerSource listener(std::string_view version) {
  if (is_version_3(version)) {
    return {.code = listener_on("EventListenerBase"),
            .includes = {"<catch2/reporters/catch_reporter_event_listener.hpp>",
                         "<catch2/reporters/catch_reporter_registrars.hpp>"},
            .in_main_header = false};
  }
  return {.code = listener_on("TestEventListenerBase"),
          .includes = {"<catch2/catch.hpp>"},
          .define = "#define CATCH_CONFIG_EXTERNAL_INTERFACES  // for the listener",
          .defined_by = {"CATCH_CONFIG_MAIN", "CATCH_CONFIG_EXTERNAL_INTERFACES"},
          .define_reason = "Catch2 2 needs a macro before its header for listeners"};
}

/// FNV-1a, with the seed as the last letter, folded to half its size by multiplication.
class Catch2Hash {
 public:
  /// Letters beyond ASCII are negative, and so are their upper bits.
  void add(char letter) { mix(static_cast<std::uint64_t>(static_cast<signed char>(letter))); }
  void add(std::string_view text) {
    for (char letter : text) add(letter);
  }
  std::uint32_t fold(std::uint32_t seed) {
    mix(seed);
    return static_cast<std::uint32_t>(value_) * static_cast<std::uint32_t>(value_ >> 32);
  }

 private:
  void mix(std::uint64_t bits) { value_ = (value_ ^ bits) * 1099511628211u; }

  std::uint64_t value_ = 14695981039346656037u;
};

/// Of two tests with one name, the agent has added the tags to the second one's.
std::string_view name_in_program(const Suite& suite, const Test& test) {
  const std::string_view name = test.name;
  const std::string suffix = " " + test.tags;
  if (test.tags.empty() || !name.ends_with(suffix)) return name;
  const auto plain = name.substr(0, name.size() - suffix.size());
  return suite.find(plain) ? plain : name;
}

std::uint32_t hash_of(const Suite& suite, const Test& test, std::uint32_t seed) {
  Catch2Hash hash;
  hash.add(name_in_program(suite, test));
  if (!suite.framework_version().starts_with("2")) {
    hash.add(test.type_param);  // the fixture's class
    for (char letter : test.tags) {
      if (letter != '[' && letter != ']') hash.add(letter);
    }
  }
  return hash.fold(seed);
}

/// Catch2's own random order: what --order rand --rng-seed N runs, so that a seed from a CI log
/// leads to a witness. Tests are sorted by a hash of the seed and their name, since version 3 also
/// of their class and tags: the same in 2.13.4 to 2.13.10 and in all releases of 3.
Result<Order> order_of_seed(const Suite& suite, std::uint32_t seed) {
  std::vector<std::tuple<std::uint32_t, std::string_view, TestId>> hashed;
  for (TestId id : suite.default_order()) {
    const Test& test = suite.test(id);
    hashed.emplace_back(hash_of(suite, test, seed), test.name, id);
  }
  std::sort(hashed.begin(), hashed.end());
  Order order;
  for (const auto& entry : hashed) order.push_back(std::get<TestId>(entry));
  return order;
}

}  // namespace

const FrameworkTraits& catch2_traits() {
  static const FrameworkTraits kTraits = {
      .framework = Framework::catch2,
      .word = "catch2",
      .name = "Catch2",
      .selecting_options = kSelectingOptions,
      .mark = "N5Catch",
      .shuffle = order_of_seed,
      .listener = listener,
      .macros = {.prefix = "CATCH_",
                 .tests = kTests,
                 .checks = kChecks,
                 .checks_begin = kChecksBegin,
                 .skips = kSkips},
      .libraries = kLibraries,
      .namespaces = kNamespaces,
      .folders = kFolders,
      .file_stems = kStems,
      .runners = kRunners,
      .is_test_body = is_test_body,
      .made_by_macro = made_by_macro,
      .bookkeeping = kBookkeeping,
  };
  return kTraits;
}

}  // namespace gordian
