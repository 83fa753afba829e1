// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tells as JSON what WatchCollector finds in one test binary, for the end-to-end tests of it:
//   watch_suite BINARY order TEST...   the data dependences of that order; no TEST: the default one
//   watch_suite BINARY alone           reads and writes of each test alone, and beside them all
//                                      ordered pairs, run for real: those whose second test comes
//                                      to another result than alone
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "flow/watch/watch_collector.h"
#include "runtime/native/inspect.h"

namespace {

using namespace gordian;
using nlohmann::json;

constexpr auto kTestTimeout = std::chrono::milliseconds(1500);

[[noreturn]] void fail(const Error& error) {
  std::cerr << error.message << "\n";
  std::exit(2);
}

template <class T>
T take(Result<T> result) {
  if (!result) fail(result.error());
  return std::move(*result);
}

Order all_tests(const Suite& suite) {
  Order order;
  for (std::uint32_t i = 0; i < suite.size(); ++i) {
    if (suite.test(TestId(i)).will_run) order.push_back(TestId(i));
  }
  return order;
}

json site_json(const std::optional<Site>& site) {
  if (!site || site->stack.empty()) return nullptr;
  const StackFrame& frame = site->stack.at(site->shown);
  return {{"test", site->test},
          {"function", frame.function},
          {"file", frame.file},
          {"line", frame.line}};
}

json states_json(const DataFlow& flow, const std::vector<StateId>& ids) {
  json result = json::array();
  for (StateId id : ids) {
    result.push_back(
        {{"kind", to_string(flow.state(id).key.kind())}, {"name", flow.state(id).key.text()}});
  }
  return result;
}

json flow_json(const Suite& suite, const DataFlow& flow) {
  auto name = [&](TestId test) { return suite.test(test).full_name(); };
  json tests = json::array(), dependences = json::array();
  for (const TestFlow& test : flow.tests) {
    tests.push_back({{"test", name(test.test)},
                     {"reads", states_json(flow, test.reads)},
                     {"writes", states_json(flow, test.writes)},
                     {"unsure", test.unsure}});
  }
  for (const DataDependence& dependence : flow.dependences) {
    dependences.push_back({{"reader", name(dependence.reader)},
                           {"writer", name(dependence.writer)},
                           {"states", states_json(flow, dependence.states)},
                           {"write", site_json(dependence.write)},
                           {"read", site_json(dependence.read)}});
  }
  return {{"tests", tests},
          {"dependences", dependences},
          {"misses", flow.misses},
          {"passes", flow.passes},
          {"seconds", flow.seconds}};
}

/// Pairs whose second test comes to another result than alone, and whether they were excluded.
json pairs_json(Executor& executor, const DataFlow& flow, const Order& tests) {
  std::vector<Order> orders;
  for (TestId test : tests) orders.push_back({test});
  for (TestId a : tests) {
    for (TestId b : tests) orders.push_back({a, b});
  }
  RunListener nobody;
  const bool forks = executor.fork_problems().empty();
  auto runs = take(forks ? executor.run_forked(orders, OrderRunner::Shape::flat, nobody)
                         : executor.run_fresh(orders, nobody));
  const Influence may = influence(flow, executor.suite().size());
  json differing = json::array(), wrong = json::array();
  std::size_t excluded = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    for (std::size_t k = 0; k < tests.size(); ++k) {
      const OrderRun& pair = runs[tests.size() * (i + 1) + k];
      const bool allowed = may.may_affect(tests[i], tests[k]);
      excluded += !allowed;
      if (pair.runs[1].outcome.kind == OutcomeKind::not_run) continue;
      if (same_result(pair.runs[1].outcome, runs[k].runs[0].outcome)) continue;
      json both = {executor.suite().test(tests[i]).full_name(),
                   executor.suite().test(tests[k]).full_name()};
      differing.push_back(both);
      if (!allowed) wrong.push_back(both);
    }
  }
  return {{"pairs", tests.size() * tests.size()},
          {"excluded", excluded},
          {"differing", differing},
          {"wrongly_excluded", wrong}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  Target target;
  target.binary = std::filesystem::absolute(argv[1]);
  target.working_dir = std::filesystem::current_path();
  const Inspection inspection = take(inspect(target));
  ExecutorOptions engine;
  engine.limits.test_timeout = kTestTimeout;
  engine.hook_offsets = inspection.hook_offsets;
  WatchOptions options;
  options.engine = engine;
  auto collector = take(WatchCollector::open(target, inspection, options));
  const Suite& suite = collector->suite();
  if (std::string(argv[2]) == "order") {
    Order order;
    for (int i = 3; i < argc; ++i) order.push_back(suite.find(argv[i]).value());
    if (order.empty()) order = all_tests(suite);
    std::cout << flow_json(suite, take(collector->in_order(order))).dump(1) << "\n";
    return 0;
  }
  const Order tests = all_tests(suite);
  const DataFlow flow = take(collector->alone(tests));
  json result = flow_json(suite, flow);
  collector.reset();
  auto executor = take(Executor::open(target, inspection.elf, inspection.framework, engine));
  result["check"] = pairs_json(*executor, flow, tests);
  std::cout << result.dump(1) << "\n";
  return 0;
}
