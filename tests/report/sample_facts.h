// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Small invented runs for the tests of the reports.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "model/run.h"

namespace gordian::testing_support {

/// Cart.T0 .. Cart.T<n-1> of cart_test.cc, at lines 10, 20, ...
inline Suite sample_suite(int tests) {
  std::vector<Test> list;
  for (int i = 0; i < tests; ++i) {
    Test test;
    test.suite = "Cart";
    test.name = "T" + std::to_string(i);
    test.file = "cart_test.cc";
    test.line = 10 * (i + 1);
    list.push_back(test);
  }
  return Suite(Framework::gtest, "1.12.1", std::move(list));
}

inline TestRun run_of(std::uint32_t test, OutcomeKind kind) {
  TestRun run;
  run.test = TestId{test};
  run.outcome.kind = kind;
  run.duration = std::chrono::microseconds(12);
  if (kind == OutcomeKind::crash) run.outcome.signal = 11;
  if (kind == OutcomeKind::exit) run.outcome.exit_code = 3;
  if (kind == OutcomeKind::fail) {
    run.outcome.file = "cart_test.cc";
    run.outcome.line = 42;
    run.outcome.message = "Expected equality of these values:\n  size\n    Which is: 3\n  2";
  }
  return run;
}

/// A stored run of one order with these outcomes, on Cart.T0, Cart.T1, ...
inline RunFacts sample_run(const std::vector<OutcomeKind>& kinds) {
  RunFacts facts;
  facts.id = RunId{7};
  facts.suite = sample_suite(static_cast<int>(kinds.size()));
  facts.header.binary = {"/home/me/build/cart_test", "abcd", "00ff", 4096};
  facts.header.target.binary = "/home/me/build/cart_test";
  facts.header.target.working_dir = "/home/me/build";
  facts.header.order_spec = "random:42";
  facts.header.seed = 42;
  facts.header.jobs = 2;
  facts.header.private_fs = true;
  facts.end = RunEnd::finished;
  facts.wall = std::chrono::milliseconds(1234);
  OrderRun order;
  for (std::uint32_t i = 0; i < kinds.size(); ++i) {
    order.order.push_back(TestId{i});
    order.runs.push_back(run_of(i, kinds[i]));
  }
  facts.orders.push_back(std::move(order));
  return facts;
}

/// The same tests once more, as a further repeat.
inline void add_repeat(RunFacts& facts, const std::vector<OutcomeKind>& kinds) {
  facts.orders.push_back(sample_run(kinds).orders[0]);
  facts.header.repeat = static_cast<int>(facts.orders.size());
}

}  // namespace gordian::testing_support
