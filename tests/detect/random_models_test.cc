// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Hundreds of random models: searches that promise completeness find exactly what the model can
// show, and no search reports anything that the model does not do.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/detect/model_search.h"

namespace gordian::detect_test {
namespace {

constexpr std::uint64_t kModels = 1000;
constexpr std::size_t kLength = 3;
constexpr std::size_t kHidden = 3;  ///< a cell that only sets_if() changes: it takes two tests

ModelTest random_test(std::string name, Random& random) {
  ModelTest test(std::move(name));
  for (std::uint64_t steps = random.below(5); steps > 0; --steps) {
    const auto cell = static_cast<std::size_t>(random.below(3));
    const int value = static_cast<int>(random.below(3));
    switch (random.below(12)) {
      case 0:
        test.sets(cell, value);
        break;
      case 1:
      case 2:
        test.sets_if(cell, 1, kHidden, 1 + value);
        break;
      case 3:
        test.adds(cell, 1);
        break;
      case 4:
        test.expects(cell, value);
        break;
      case 5:
        test.expects(cell, 0);
        break;
      case 6:
        test.expects(kHidden, 0);
        break;
      case 7:
        test.expects_below(cell, value + 1);
        break;
      case 8:
        test.crashes_if(cell, value);
        break;
      case 9:
        test.expects_if(cell, 1, (cell + 1) % 3, 0);
        break;
      case 10:
        test.expects(cell, 1);
        break;
      default:
        test.skips_if(cell, value);
    }
  }
  return test;
}

ModelRunner random_model(std::uint64_t seed) {
  Random random(seed);
  std::vector<ModelTest> tests;
  const std::uint64_t size = 2 + random.below(4);
  for (std::uint64_t i = 0; i < size; ++i) {
    tests.push_back(random_test("S" + std::to_string(i / 2) + ".T" + std::to_string(i), random));
  }
  return ModelRunner(std::move(tests));
}

/// Adds to `shown` the tests that do something unexpected at the end of `order` or of what extends
/// it to at most kLength tests.
void extend(const ModelRunner& runner, const std::vector<Outcome>& expected, Order& order,
            std::map<TestId, std::size_t>& shown) {
  if (order.size() == kLength) return;
  for (TestId next : runner.suite().default_order()) {
    if (std::find(order.begin(), order.end(), next) != order.end()) continue;
    const Outcome seen = runner.after(order, next);
    order.push_back(next);
    if (is_known(seen) && !same_result(seen, expected[next.value()])) {
      auto [at, added] = shown.emplace(next, order.size());
      if (!added) at->second = std::min(at->second, order.size());
    }
    extend(runner, expected, order, shown);
    order.pop_back();
  }
}

std::set<TestId> truth(const ModelRunner& runner) {
  std::map<TestId, std::size_t> shown;
  Order order;
  extend(runner, expected_of(runner), order, shown);
  std::set<TestId> tests;
  for (const auto& [test, length] : shown) tests.insert(test);
  return tests;
}

std::set<TestId> reported(const DetectFacts& facts) {
  std::set<TestId> tests;
  for (const Dependence& found : facts.dependences) tests.insert(found.test);
  for (std::size_t i = 0; i < facts.dependences.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(same_dependence(facts.dependences[i], facts.dependences[j])) << "reported twice";
    }
  }
  return tests;
}

DetectFacts searched(std::uint64_t seed, Algorithm algorithm) {
  ModelRunner runner = random_model(seed);
  DetectFacts facts = search_model(runner, algorithm, kLength);
  SCOPED_TRACE(::testing::Message() << to_string(algorithm) << ", seed " << seed);
  check_true(runner, facts);
  EXPECT_TRUE(facts.nondeterministic.empty()) << seed;
  EXPECT_TRUE(facts.left_out.empty()) << seed;
  return facts;
}

std::map<TestId, std::size_t> witness_lengths(const DetectFacts& facts) {
  std::map<TestId, std::size_t> lengths;
  for (const Dependence& found : facts.dependences) lengths[found.test] = found.witness.size();
  return lengths;
}

TEST(RandomModels, AreWorthSearching) {
  std::size_t clean = 0, roles[3] = {}, long_witness = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    DetectFacts facts = searched(seed, Algorithm::exhaustive);
    clean += facts.dependences.empty();
    for (const Dependence& found : facts.dependences) {
      ++roles[static_cast<int>(found.role)];
      long_witness += found.by.size() > 1;
    }
  }
  EXPECT_GT(clean, kModels / 10);
  EXPECT_GT(roles[static_cast<int>(Role::victim)], kModels / 10);
  EXPECT_GT(roles[static_cast<int>(Role::brittle)], kModels / 10);
  EXPECT_GT(long_witness, kModels / 25);
}

TEST(RandomModels, ExhaustiveAndAwareFindExactlyWhatIsThere) {
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const std::set<TestId> wanted = truth(random_model(seed));
    const DetectFacts full = searched(seed, Algorithm::exhaustive);
    const DetectFacts aware = searched(seed, Algorithm::aware);
    EXPECT_EQ(reported(full), wanted) << seed;
    EXPECT_EQ(reported(aware), wanted) << seed;
    EXPECT_EQ(witness_lengths(aware), witness_lengths(full)) << seed;
  }
}

/// Tests that do something unexpected in an order of up to k tests.
std::set<TestId> truth_up_to(const ModelRunner& runner, std::size_t k) {
  std::map<TestId, std::size_t> shown;
  Order order;
  extend(runner, expected_of(runner), order, shown);
  std::set<TestId> tests;
  for (const auto& [test, length] : shown) {
    if (length <= k) tests.insert(test);
  }
  return tests;
}

TEST(RandomModels, WhatIsNeedlessToRunShowsNothing) {
  std::uint64_t needless = 0, needed = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    for (int k = 1; k <= 3; ++k) {
      ModelRunner runner = random_model(seed);
      const DetectFacts facts = search_flow(runner, Algorithm::aware, k);
      check_true(runner, facts);
      EXPECT_EQ(reported(facts), truth_up_to(runner, static_cast<std::size_t>(k))) << seed;
      EXPECT_GE(facts.search.complete_k, std::min<int>(k, static_cast<int>(runner.suite().size())));
      needless += facts.search.pruning->needless;
      needed += facts.search.pruning->needed;
    }
  }
  EXPECT_GT(needless, needed / 4) << needless << " of " << needless + needed;
}

/// Order by order: what is called needless ends as the last test does alone, or as the order
/// without its first test does.
TEST(RandomModels, ANeedlessOrderEndsAsAShorterOne) {
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const ModelRunner runner = random_model(seed);
    const Order tests = runner.suite().default_order();
    const Needless needless(ModelCollector(runner).alone(tests).value(), tests.size());
    for (TestId a : tests) {
      for (TestId b : tests) {
        for (TestId c : tests) {
          if (a == b || b == c || a == c) continue;
          auto as_one_of = [&](const Order& before, TestId last, const Order& shorter) {
            if (!needless.needless([&] {
                  Order order = before;
                  order.push_back(last);
                  return order;
                }())) {
              return;
            }
            const Outcome seen = runner.after(before, last);
            const bool same = !is_known(seen) || same_result(seen, runner.after({}, last)) ||
                              same_result(seen, runner.after(shorter, last));
            EXPECT_TRUE(same) << seed;
          };
          as_one_of({a}, b, {});
          as_one_of({a, b}, c, {b});
        }
      }
    }
  }
}

/// Dataflow reports nothing but the truth, and each manifest dependence shows in its schedule.
TEST(RandomModels, DataflowReportsNothingElse) {
  std::uint64_t manifest = 0, found = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    ModelRunner runner = random_model(seed);
    const DetectFacts facts = search_flow(runner, Algorithm::dataflow, 2);
    SCOPED_TRACE(seed);
    check_true(runner, facts);
    found += facts.dependences.size();
    const std::vector<Outcome> expected = expected_of(runner);
    for (const TestedFlow& tested : facts.flows.at(0).tested) {
      EXPECT_NE(tested.verdict, FlowVerdict::untested);
      if (tested.verdict != FlowVerdict::manifest) continue;
      ++manifest;
      Order before = tested.schedule;
      ASSERT_EQ(before.back(), tested.changed);
      before.pop_back();
      EXPECT_FALSE(
          same_result(runner.after(before, tested.changed), expected[tested.changed.value()]));
    }
  }
  EXPECT_GT(manifest, kModels / 10);
  EXPECT_GT(found, kModels / 10);
}

TEST(RandomModels, TheOtherAlgorithmsReportNothingElse) {
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    for (Algorithm algorithm : {Algorithm::isolation, Algorithm::reversal, Algorithm::random,
                                Algorithm::pairs, Algorithm::screen, Algorithm::self}) {
      searched(seed, algorithm);
    }
  }
}

/// What is told of each test: its roles, and its result in each.
std::multiset<std::string> told(const DetectFacts& facts) {
  std::multiset<std::string> result;
  for (const Dependence& found : facts.dependences) {
    const Outcome& witnessed = found.witnessed;
    result.insert(facts.suite.test(found.test).name + " " + std::string(to_string(found.role)) +
                  " " + std::string(to_string(witnessed.kind)) + " " +
                  std::to_string(witnessed.line));
  }
  return result;
}

/// All orders of up to three tests and each test twice, in phases that come in any sequence.
std::multiset<std::string> told_in_sequence(std::uint64_t seed, const std::vector<int>& phases) {
  ModelRunner runner = random_model(seed);
  DetectRequest request;
  request.budget = std::chrono::milliseconds(0);
  DetectFacts facts;
  facts.suite = runner.suite();
  SearchListener silent;
  Search search(request, runner, facts, silent);
  EXPECT_TRUE(search.begin(runner.suite().default_order()));
  for (int phase : phases) {
    auto source =
        phase == 0 ? self_source(search.knowledge()) : exhaustive_source(search.knowledge(), phase);
    EXPECT_TRUE(search.explore(*source));
  }
  EXPECT_TRUE(search.finish());
  check_true(runner, facts);
  return told(facts);
}

TEST(RandomModels, WhatIsToldDoesNotHangOnTheSequenceOfPhases) {
  std::size_t both = 0, several = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    std::vector<int> phases = {0, 1, 2, 3};
    const auto first = told_in_sequence(seed, phases);
    Random random(seed);
    for (int i = 0; i < 3; ++i) {
      random.shuffle(phases);
      EXPECT_EQ(told_in_sequence(seed, phases), first) << seed;
    }
    std::map<std::string, std::set<std::string>> roles;
    for (const std::string& one : first) {
      const auto blank = one.find(' ');
      auto& of_test = roles[one.substr(0, blank)];
      several += !of_test.empty();
      of_test.insert(one.substr(blank + 1, one.find(' ', blank + 1) - blank - 1));
      both += of_test.contains("victim") && of_test.contains("self_dependent");
    }
  }
  EXPECT_GT(both, kModels / 100);
  EXPECT_GT(several, kModels / 40);
}

TEST(RandomModels, AutomaticFindsAllOfIt) {
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const std::set<TestId> wanted = truth(random_model(seed));
    const std::set<TestId> found = reported(searched(seed, Algorithm::automatic));
    EXPECT_TRUE(std::includes(found.begin(), found.end(), wanted.begin(), wanted.end()))
        << seed << ": " << found.size() << " of " << wanted.size();
  }
}

}  // namespace
}  // namespace gordian::detect_test
