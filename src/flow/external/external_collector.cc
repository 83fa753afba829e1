// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/external_collector.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "flow/external/external_recorder.h"
#include "flow/merge_flows.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

const ExternalTest* find(const std::vector<ExternalTest>& tests, const DataFlow& flow,
                         std::size_t position) {
  if (!flow.alone) return find_test(tests, position);
  const auto found = std::find_if(tests.begin(), tests.end(), [&](const ExternalTest& test) {
    return test.test == flow.order[position];
  });
  return found == tests.end() ? nullptr : &*found;
}

class Ticker : public RunListener {
 public:
  explicit Ticker(const std::function<void(const CollectProgress&)>& progress)
      : progress_(progress) {}
  bool wants_results() const override { return false; }
  void tick(const std::vector<RunningTest>&, std::size_t done, std::size_t total) override {
    progress_({done, total, "looking at files"});
  }

 private:
  const std::function<void(const CollectProgress&)>& progress_;
};

}  // namespace

ExternalCollector::ExternalCollector(std::unique_ptr<FlowCollector> memory, Target target,
                                     Inspection inspection, ExecutorOptions options)
    : memory_(std::move(memory)),
      target_(std::move(target)),
      inspection_(std::move(inspection)),
      options_(std::move(options)) {}

FlowCollector& ExternalCollector::memory() {
  memory_->should_stop = should_stop;
  memory_->progress = progress;
  return *memory_;
}

Result<DataFlow> ExternalCollector::in_order(const Order& order) {
  return complete(memory().in_order(order), {&order, 1});
}

Result<DataFlow> ExternalCollector::alone(const Order& tests) {
  std::vector<Order> orders;
  for (TestId test : tests) orders.push_back({test});
  return complete(memory().alone(tests), orders);
}

Result<DataFlow> ExternalCollector::complete(Result<DataFlow> flow, std::span<const Order> orders) {
  if (!flow) return flow;
  auto external = record(*flow, orders);
  if (!external) return external;
  merge_into(*flow, *external);
  return flow;
}

Result<DataFlow> ExternalCollector::record(const DataFlow& flow, std::span<const Order> orders) {
  const auto began = Clock::now();
  ExternalRecorder recorder;
  ExecutorOptions options = options_;
  options.watch = &recorder;
  options.should_stop = should_stop;
  auto executor = Executor::open(target_, inspection_.elf, inspection_.framework, options);
  if (!executor) return executor.error();
  Ticker ticker(progress);
  const bool forks = (*executor)->fork_problems().empty();
  auto runs = forks ? (*executor)->run_forked(orders, OrderRunner::Shape::flat, ticker)
                    : (*executor)->run_fresh(orders, ticker);
  if (!runs) return runs.error();
  if (should_stop()) return Error{ErrorKind::interrupted, "stopped", ""};
  const std::vector<ExternalTest> tests = recorder.take();
  FlowBuilder builder(flow.source, flow.alone);
  for (std::size_t i = 0; i < flow.order.size(); ++i) {
    builder.begin(flow.order[i]);
    if (const ExternalTest* test = find(tests, flow, i)) add_to(builder, *test);
  }
  for (const std::string& miss : recorder.misses()) builder.misses(miss);
  DataFlow external = builder.take();
  external.passes = 1;
  external.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return external;
}

}  // namespace gordian
