// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/gtest/shuffle.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gordian {
namespace {

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

}  // namespace

Order gtest_shuffle(const Suite& suite, std::uint32_t seed) {
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

}  // namespace gordian
