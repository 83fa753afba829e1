// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/open_target.h"

#include <utility>

#include "base/sha256.h"
#include "engine/inspect.h"
#include "engine/isolated_runs.h"

namespace gordian {
namespace {

Result<Order> tests_to_search(const DetectRequest& request, const Suite& suite) {
  auto order = make_order(suite, OrderSpec{}, request.filter);
  if (!order) return order;
  if (suite.size() == 0) return no_tests_error(request.target);
  if (order->empty()) {
    return no_match_error(request.target, suite.size());
  }
  return order;
}

}  // namespace

Result<OpenTarget> open_target(const DetectRequest& request, std::function<bool()> should_stop) {
  auto inspection = inspect(request.target);
  if (!inspection) return inspection.error();
  if (!inspection->unhookable.empty()) {
    return target_error("orders cannot be controlled: " + inspection->unhookable);
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
  open.executor = std::move(*executor);
  return open;
}

}  // namespace gordian
