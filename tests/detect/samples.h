// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the tests of the search share: short ways to write tests, orders, results and suites.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "detect/knowledge.h"
#include "detect/order_source.h"
#include "model/test.h"

namespace gordian::detect_test {

inline Order order(std::initializer_list<std::uint32_t> numbers) {
  Order result;
  for (std::uint32_t number : numbers) result.push_back(TestId{number});
  return result;
}

inline Outcome outcome(OutcomeKind kind, int line = 0) {
  Outcome result;
  result.kind = kind;
  result.line = line;
  return result;
}

/// From full names. "DISABLED_" anywhere: the framework would not run it.
inline Suite suite_of(const std::vector<std::string>& full_names) {
  std::vector<Test> tests;
  for (const std::string& full : full_names) {
    Test test;
    test.suite = full.substr(0, full.rfind('.'));
    test.name = full.substr(full.rfind('.') + 1);
    test.disabled = full.find("DISABLED_") != std::string::npos;
    test.will_run = !test.disabled;
    tests.push_back(test);
  }
  return Suite(Framework::gtest, "1.12.1", std::move(tests));
}

/// Tests 0, 1, ... in suites of two: "S0.T0", "S0.T1", "S1.T2", ...
inline Suite numbered_suite(std::size_t size) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < size; ++i) {
    names.push_back("S" + std::to_string(i / 2) + ".T" + std::to_string(i));
  }
  return suite_of(names);
}

/// A search of all tests of a suite, about which nothing is known yet.
inline Knowledge knowledge_of(const Suite& suite) {
  Knowledge knowledge(suite);
  knowledge.set_tests(suite.default_order());
  return knowledge;
}

inline std::vector<Order> all_of(OrderSource& source) {
  std::vector<Order> orders;
  while (auto next = source.next()) orders.push_back(*next);
  return orders;
}

inline std::vector<std::string> names(const Suite& suite, const Order& tests) {
  std::vector<std::string> result;
  for (TestId test : tests) result.push_back(suite.test(test).full_name());
  return result;
}

}  // namespace gordian::detect_test
