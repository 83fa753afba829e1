// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frameworks/framework_traits.h"
#include "frameworks/frameworks.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

constexpr std::array kSelecting = {"--gtest_filter"sv,     "--gtest_also_run_disabled_tests"sv,
                                   "--gtest_output"sv,     "--gtest_color"sv,
                                   "--gtest_brief"sv,      "--gtest_print_time"sv,
                                   "--gtest_list_tests"sv, "--gtest_stream_result_to"sv};
constexpr std::array kLibraries = {"libgtest"sv, "libgmock"sv};
constexpr std::array kNamespaces = {"testing::"sv};
constexpr std::array kFolders = {"/include/gtest/"sv,  "/include/gmock/"sv, "/googletest/src/"sv,
                                 "/googlemock/src/"sv, "/gtest/src/"sv,     "/gmock/src/"sv};
constexpr std::array kStems = {"gtest"sv, "gmock"sv};
constexpr std::array kRunners = {"testing::internal::HandleSehExceptionsInMethodIfSupported"sv,
                                 "testing::internal::HandleExceptionsInMethodIfSupported"sv,
                                 "testing::Test::Run"sv,
                                 "testing::TestInfo::Run"sv,
                                 "testing::TestSuite::"sv,
                                 "testing::TestCase::"sv,
                                 "testing::internal::UnitTestImpl::"sv,
                                 "testing::UnitTest::Run"sv};
constexpr std::array kEntryPoints = {"RUN_ALL_TESTS"sv};
constexpr std::array kTests = {
    TestMacro{"TEST", TestForm::suite_and_name, false},
    TestMacro{"TEST_F", TestForm::fixture_and_name, false},
    TestMacro{"TEST_P", TestForm::fixture_and_name, false},
    TestMacro{"TYPED_TEST", TestForm::fixture_and_name, true},
    TestMacro{"TYPED_TEST_P", TestForm::fixture_and_name, true},
};
constexpr std::array kChecks = {"FAIL"sv, "SUCCEED"sv, "ADD_FAILURE"sv, "ADD_FAILURE_AT"sv};
constexpr std::array kChecksBegin = {"EXPECT_"sv, "ASSERT_"sv};
constexpr std::array kSkips = {"GTEST_SKIP"sv, "GTEST_SKIP_"sv};
constexpr std::array kSetUps = {"SetUp"sv};
constexpr std::array kBookkeeping = {"::test_info_"sv, "testing::UnitTest::GetInstance()"sv};

/// What TEST() and its kin make of a test: its class may stand in any namespace.
bool is_test_body(std::string_view function) {
  return function.find("_Test::TestBody()") != std::string_view::npos;
}

/// What the macros put beside each test: "Suite_Name_Test::test_info_" and the "gtest_..._" of
/// parameterised and typed tests.
bool made_by_macro(std::string_view variable) {
  const std::string_view last = last_part(variable);
  return last == "test_info_" || (last.starts_with("gtest_") && last.ends_with("_"));
}

std::string functions_of(const Test& test) {
  return test.suite + "_" + test.name + "_Test::";
}

/// "gmock_verbose" -> testing::GMOCK_FLAG(verbose).
FrameworkAccess option(std::string_view name) {
  const std::size_t gtest = name.find("gtest_"), at = std::min(gtest, name.find("gmock_"));
  if (at == std::string_view::npos) return {};
  const bool mock = at != gtest;
  std::string_view word = name.substr(at + 6);
  word = word.substr(0, word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789"));
  return {fmt::format("testing::{}_FLAG({})", mock ? "GMOCK" : "GTEST", word), std::string(word),
          mock ? "<gmock/gmock.h>" : "<gtest/gtest.h>", ""};
}

/// GoogleMock keeps default values per type, and has its own way to forget them.
FrameworkAccess reset(std::string_view variable) {
  const std::size_t member = variable.rfind("::");
  if (!variable.starts_with("testing::DefaultValue<")) return {};
  return {std::string(variable.substr(0, member)) + "::Clear()", "clear_default_value", "",
          "GoogleMock keeps a default value until it is cleared."};
}

constexpr const char* kListener = R"(
class Isolation : public testing::EmptyTestEventListener {
  void OnTestSuiteStart(const testing::TestSuite&) override { suite_ = save(); }
  void OnTestStart(const testing::TestInfo&) override { test_ = save(); }
  void OnTestEnd(const testing::TestInfo&) override { put_back(test_); }
  void OnTestSuiteEnd(const testing::TestSuite&) override { put_back(suite_); }

  Guards test_, suite_;
};

const bool is_isolated = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new Isolation);
  return true;
}();
)";

ListenerSource listener(std::string_view) {
  return {.code = kListener, .includes = {"<gtest/gtest.h>"}};
}

/// The linear congruential generator that GoogleTest has always used for this.
class GtestRandom {
 public:
  explicit GtestRandom(std::uint32_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t range) {
    constexpr std::uint32_t kRange = 1u << 31;
    state_ = static_cast<std::uint32_t>((1103515245ull * state_ + 12345u) % kRange);
    return state_ % range;
  }

 private:
  std::uint32_t state_;
};

template <class T>
void shuffle_range(GtestRandom& random, std::size_t begin, std::size_t end, std::vector<T>& items) {
  for (std::size_t width = end - begin; width >= 2; --width) {
    std::size_t chosen = begin + random.below(static_cast<std::uint32_t>(width));
    std::swap(items[chosen], items[begin + width - 1]);
  }
}

/// Suites of death tests are kept in front, and shuffled among themselves.
bool holds_death_tests(const std::string& suite) {
  return suite.ends_with("DeathTest") || suite.find("DeathTest/") != std::string::npos;
}

/// GoogleTest's own shuffle: the order that --gtest_shuffle --gtest_random_seed=N runs, so that a
/// seed from a CI log leads to a witness. The same in all versions from 1.8 to 1.18.
Result<Order> order_of_seed(const Suite& suite, std::uint32_t seed) {
  if (seed < 1 || seed > 99999) {
    return usage_error(std::to_string(seed) + " is no seed of GoogleTest",
                       "those are from 1 to 99999");
  }
  // Disabled tests take part in the shuffle, and are left out afterwards.
  std::vector<std::vector<TestId>> suites;
  std::map<std::string, std::size_t> place;
  std::size_t death_suites = 0;
  for (std::uint32_t i = 0; i < suite.size(); ++i) {
    const std::string& name = suite.tests()[i].suite;
    auto [it, fresh] = place.try_emplace(name, suites.size());
    if (fresh) {
      suites.emplace_back();
      death_suites += holds_death_tests(name);
    }
    suites[it->second].push_back(TestId{i});
  }
  GtestRandom random(seed);
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < suites.size(); ++i) indices.push_back(i);
  shuffle_range(random, 0, death_suites, indices);
  shuffle_range(random, death_suites, suites.size(), indices);
  for (auto& tests : suites) shuffle_range(random, 0, tests.size(), tests);
  Order order;
  for (std::size_t index : indices) {
    for (TestId test : suites[index]) {
      if (suite.test(test).will_run) order.push_back(test);
    }
  }
  return order;
}

}  // namespace

const FrameworkTraits& gtest_traits() {
  static const FrameworkTraits kTraits = {
      .framework = Framework::gtest,
      .word = "gtest",
      .name = "GoogleTest",
      .disabled_flag = "--gtest_also_run_disabled_tests",
      .filter_flag = "--gtest_filter=",
      .selecting_flags = kSelecting,
      .environment_prefix = "GTEST_",
      .has_adapter = true,
      .driven_by_flags = true,
      .shards_round_robin = true,
      .shuffle = order_of_seed,
      .listener = listener,
      .macros = {.prefix = "GTEST_",
                 .tests = kTests,
                 .checks = kChecks,
                 .checks_begin = kChecksBegin,
                 .skips = kSkips},
      .type_parameter = "TypeParam",
      .libraries = kLibraries,
      .namespaces = kNamespaces,
      .folders = kFolders,
      .file_stems = kStems,
      .runners = kRunners,
      .entry_points = kEntryPoints,
      .is_test_body = is_test_body,
      .made_by_macro = made_by_macro,
      .functions_of = functions_of,
      .failure_head = ": Failure\n",
      .set_ups = kSetUps,
      .bookkeeping = kBookkeeping,
      .flag_prefix = "testing::FLAGS_",
      .option = option,
      .reset = reset,
  };
  return kTraits;
}

}  // namespace gordian
