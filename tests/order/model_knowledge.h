// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search that has tried every pair would know of a model suite (tests/detect/model_suite.h),
// found by trying.
#pragma once

#include <vector>

#include "order/constraints.h"
#include "tests/detect/model_suite.h"

namespace gordian::rank_test {

inline Outcome expected_of(const detect_test::ModelRunner& model, TestId test) {
  Order before = model.suite().default_order();
  before.resize(test.value());
  return model.after(before, test);
}

/// The predecessors of the default order that are needed for the expected result.
inline Order minimal_predecessors(const detect_test::ModelRunner& model, TestId test,
                                  const Outcome& expected) {
  Order before = model.suite().default_order();
  before.resize(test.value());
  for (std::size_t i = 0; i < before.size();) {
    Order fewer = before;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (same_result(model.after(fewer, test), expected)) {
      before = fewer;
    } else {
      ++i;
    }
  }
  return before;
}

struct ModelKnowledge {
  std::vector<Dependence> list;
  ChangedPairs changed;

  Constraints constraints(const detect_test::ModelRunner& model) const {
    return {model.suite(), list, changed};
  }
};

inline void find_lists(const detect_test::ModelRunner& model, Dependence& d,
                       ChangedPairs& changed) {
  for (TestId first : model.suite().default_order()) {
    if (first == d.test) continue;
    const Outcome outcome = model.after({first}, d.test);
    if (same_result(outcome, d.witnessed)) {
      d.singles.push_back(first);
    } else if (!same_result(outcome, d.alone)) {
      changed.emplace_back(first, d.test);
    }
    Order with_cleaner = d.by;
    with_cleaner.push_back(first);
    const bool apart = std::find(d.by.begin(), d.by.end(), first) == d.by.end();
    const bool cleans = apart && same_result(model.after(with_cleaner, d.test), d.alone);
    if (cleans && d.role == Role::victim) d.cleaners.push_back(first);
  }
  d.singles_complete = true;
  d.cleaners_complete = d.role == Role::victim;
}

/// Nothing if no pair of tests shows anything.
inline std::optional<Dependence> find_dependence(const detect_test::ModelRunner& model, TestId test,
                                                 ChangedPairs& changed) {
  Dependence d;
  d.test = test;
  d.id = DependenceId{static_cast<int>(test.value()) + 1};
  d.alone = model.after({}, test);
  d.expected = expected_of(model, test);
  if (!same_result(d.alone, d.expected)) {
    d.by = minimal_predecessors(model, test, d.expected);
  } else {
    for (TestId first : model.suite().default_order()) {
      const bool changes = first != test && !same_result(model.after({first}, test), d.alone);
      if (changes && d.by.empty()) d.by = {first};
    }
  }
  if (d.by.empty()) return std::nullopt;
  d.witnessed = model.after(d.by, test);
  const bool brittle = is_failure(d.alone.kind) && d.witnessed.kind == OutcomeKind::pass;
  d.role = brittle ? Role::brittle : Role::victim;
  find_lists(model, d, changed);
  return d;
}

inline ModelKnowledge find_dependences(const detect_test::ModelRunner& model) {
  ModelKnowledge found;
  for (TestId test : model.suite().default_order()) {
    if (auto d = find_dependence(model, test, found.changed)) found.list.push_back(std::move(*d));
  }
  return found;
}

/// Tests that write small numbers into cells, look at one, or both; so that results hang on who
/// wrote last, and a pair of tests shows everything that can happen.
inline detect_test::ModelRunner random_model(std::size_t tests, Random& random) {
  std::vector<detect_test::ModelTest> list;
  for (std::size_t t = 0; t < tests; ++t) {
    detect_test::ModelTest test("T" + std::to_string(t));
    const std::size_t cell = random.below(3);
    if (random.below(2) == 0) test.expects(cell, static_cast<int>(random.below(2)));
    // What it looks at it leaves alone, or else its own result would say who ran before.
    const std::size_t other = (cell + 1 + random.below(2)) % 3;
    if (random.below(3) == 0) test.sets(other, static_cast<int>(random.below(3)));
    list.push_back(std::move(test));
  }
  return detect_test::ModelRunner(std::move(list));
}

/// Empty when every test of the schedule that is no extra does what is expected of it.
inline std::string surprise_in(const detect_test::ModelRunner& model, const Order& order,
                               const std::vector<bool>& extra) {
  Random unused(0);
  const std::vector<Outcome> outcomes = model.outcomes(order, unused);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (extra[i] || same_result(outcomes[i], expected_of(model, order[i]))) continue;
    return model.suite().test(order[i]).full_name();
  }
  return {};
}

}  // namespace gordian::rank_test
