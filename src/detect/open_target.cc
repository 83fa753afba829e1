// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/open_target.h"

#include <utility>

#include "base/sha256.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/session.h"
#include "runtime/native/isolated_runs.h"
#include "runtime/process/process_collector.h"
#include "runtime/process/process_runner.h"
#include "symbols/code_hash.h"

namespace gordian {
namespace {

Result<Order> tests_to_search(const DetectRequest& request, const Suite& suite) {
  auto order = make_order(suite, OrderSpec{}, request.filter);
  if (!order) return order;
  if (suite.size() == 0) return no_tests_error(request.target);
  if (order->empty()) {
    return no_match_error(request.target, suite, request.filter);
  }
  return order;
}

CodeHashes hash_code(const Target& target, const Suite& suite) {
  CodeHashes hashes;
  auto by_test = hash_tests(target.binary, suite);
  if (by_test) {
    hashes.by_test = std::move(*by_test);
  } else {
    hashes.by_test.resize(suite.size());
    hashes.problem = by_test.error().message;
  }
  return hashes;
}

/// A build directory: its ctest tests, each a process.
Result<OpenTarget> open_processes(const DetectRequest& request, std::function<bool()> should_stop) {
  if (request.flow_source == FlowSource::trace) {
    return usage_error("--trace is for test binaries, not for --level process",
                       "leave it out: the files that processes use are watched as they are");
  }
  auto suite = ProcessSuite::open(request.target, request.also_disabled);
  if (!suite) return suite.error();
  OpenTarget open;
  DetectFacts& facts = open.facts;
  facts.target = request.target;
  facts.binary = suite->identity();
  facts.suite = suite->suite();
  open.hash_code = [hashes = suite->code_hashes()] { return CodeHashes{hashes, {}}; };
  ExecutorOptions engine = request.engine;
  engine.should_stop = std::move(should_stop);
  auto runner = ProcessRunner::open(std::move(*suite), std::move(engine));
  if (!runner) return runner.error();
  facts.notices = (*runner)->notices();
  facts.private_fs = (*runner)->private_fs();
  facts.isolation = Isolation::process;
  auto tests = tests_to_search(request, facts.suite);
  if (!tests) return tests.error();
  open.tests = std::move(*tests);
  ProcessRunner* watched = runner->get();
  open.collector = [watched] {
    return Result<std::unique_ptr<FlowCollector>>(std::make_unique<ProcessCollector>(*watched));
  };
  open.runner = std::move(*runner);
  return open;
}

}  // namespace

Result<OpenTarget> open_target(const DetectRequest& request, std::function<bool()> should_stop) {
  if (is_process_target(request.target)) return open_processes(request, std::move(should_stop));
  auto inspection = inspect(request.target);
  if (!inspection) return inspection.error();
  if (!inspection->unhookable.empty()) {
    return target_error("orders cannot be controlled: " + inspection->unhookable,
                        inspection->framework.framework == Framework::gtest
                            ? ""
                            : "keep its symbol table; or let each of its ctest tests be a process: "
                              "gordian detect BUILD --level process");
  }
  OpenTarget open;
  DetectFacts& facts = open.facts;
  facts.target = request.target;
  if (request.also_disabled) {
    facts.target = with_disabled(std::move(facts.target), inspection->framework.framework);
  }
  auto binary = identify(request.target, inspection->elf);
  if (!binary) return binary.error();
  facts.binary = std::move(*binary);

  ExecutorOptions engine = request.engine;
  engine.should_stop = std::move(should_stop);
  engine.hook_offsets = inspection->hook_offsets;
  engine.also_disabled = request.also_disabled;
  engine.snapshots = wants_snapshots(request.isolation);
  auto executor =
      Executor::open(facts.target, inspection->elf, inspection->framework, std::move(engine));
  if (!executor) return executor.error();
  facts.suite = (*executor)->suite();
  facts.notices = (*executor)->notices();
  facts.private_fs = (*executor)->private_fs();
  facts.isolation = usable_isolation(request.isolation, **executor, facts.notices);
  auto tests = tests_to_search(request, facts.suite);
  if (!tests) return tests.error();
  open.tests = std::move(*tests);
  open.runner = std::move(*executor);
  open.hash_code = [target = facts.target, suite = facts.suite] {
    return hash_code(target, suite);
  };
  return open;
}

}  // namespace gordian
