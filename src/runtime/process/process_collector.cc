// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/process_runner.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "flow/external/external_recorder.h"
#include "flow/flow_builder.h"
#include "runtime/native/syscall_watch.h"
#include "state/kinds/state_kinds.h"

namespace gordian {
namespace {

/// Working directory and umask are of a process, and each test has one of its own.
bool outlives_processes(const ExternalAccess& access) {
  return row_of(access.key.kind()).outlives_process;
}

/// What a later step of a unit reads after an earlier one has written it is no matter of others.
void add_step(ExternalTest& unit, const ExternalTest& step) {
  for (const ExternalAccess& access : step.accesses) {
    if (!outlives_processes(access)) continue;
    auto known = std::find_if(unit.accesses.begin(), unit.accesses.end(),
                              [&](const ExternalAccess& a) { return a.key == access.key; });
    if (known == unit.accesses.end()) {
      unit.accesses.push_back(access);
      continue;
    }
    if (access.read && !known->read && !known->write) {
      known->read = true;
      known->read_from = access.read_from;
    }
    if (access.write) known->written_from = access.written_from;
    known->write = known->write || access.write;
  }
  if (unit.unsure.empty()) unit.unsure = step.unsure;
}

/// One for each of `tests`, in their order. `alone`: each was an order of its own.
std::vector<ExternalTest> by_test(const Order& tests, bool alone,
                                  const std::vector<ExternalTest>& steps) {
  std::vector<ExternalTest> units(tests.size());
  for (std::size_t i = 0; i < tests.size(); ++i) {
    units[i].test = tests[i];
    units[i].position = i;
    for (const ExternalTest& step : steps) {
      if (alone ? step.test == tests[i] : step.position == i) add_step(units[i], step);
    }
  }
  return units;
}

Status check_watch() {
  std::string obstacle = watch_obstacle();
  if (obstacle.empty()) return {};
  return target_error("the files that tests use cannot be watched: " + obstacle);
}

}  // namespace

Result<RecordedOrder> record_order(ProcessRunner& runner, const Order& order) {
  if (Status can = check_watch(); !can) return can.error();
  ExternalRecorder recorder;
  auto run = runner.run_one(order, {&recorder, std::nullopt, nullptr});
  if (!run) return run.error();
  return RecordedOrder{std::move(*run), by_test(order, false, recorder.take()), recorder.misses()};
}

/// One recorder for all of them: it tells only of what one of its tests has written.
Result<DataFlow> ProcessCollector::collect(std::span<const Order> orders, const Order& tests,
                                           bool alone) {
  if (Status can = check_watch(); !can) return can.error();
  const auto began = std::chrono::steady_clock::now();
  ExternalRecorder recorder;
  std::uint64_t done = 0;
  for (const Order& order : orders) {
    if (should_stop()) return Error{ErrorKind::interrupted, "stopped", ""};
    auto run = runner_.run_one(order, {&recorder, std::nullopt, nullptr});
    if (!run) return run.error();
    progress({done += order.size(), tests.size(), "looking at files"});
  }
  FlowBuilder builder(FlowSource::watch, alone);
  for (const ExternalTest& test : by_test(tests, alone, recorder.take())) {
    builder.begin(test.test);
    add_to(builder, test);
  }
  for (const std::string& miss : recorder.misses()) builder.misses(miss);
  return builder.take(1, began);
}

Result<DataFlow> ProcessCollector::in_order(const Order& order) {
  return collect({&order, 1}, order, false);
}

Result<DataFlow> ProcessCollector::alone(const Order& tests) {
  return collect(each_alone(tests), tests, true);
}

}  // namespace gordian
