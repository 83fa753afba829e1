// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/open_collector.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "flow/external/external_recorder.h"
#include "flow/flow_builder.h"
#include "flow/traced/trace_collector.h"
#include "flow/watch/watch_collector.h"
#include "model/target.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/native/syscall_watch.h"
#include "runtime/powers.h"
#include "symbols/variable_index.h"

namespace gordian {
namespace {

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

/// Adds files, directories, working directory, umask and peers to what another collector finds, by
/// one more run of the same tests. REQUIRES: the other one tells nothing of these.
class ExternalCollector : public FlowCollector {
 public:
  ExternalCollector(std::unique_ptr<FlowCollector> memory, Target target, Inspection inspection,
                    ExecutorOptions options)
      : memory_(std::move(memory)),
        target_(std::move(target)),
        inspection_(std::move(inspection)),
        options_(std::move(options)) {}

  Result<DataFlow> in_order(const Order& order) override {
    return complete(memory().in_order(order), {&order, 1});
  }

  Result<DataFlow> alone(const Order& tests) override {
    return complete(memory().alone(tests), each_alone(tests));
  }

 private:
  /// The other collector's work, told and stopped as this one's.
  FlowCollector& memory() {
    memory_->should_stop = should_stop;
    memory_->progress = progress;
    return *memory_;
  }

  Result<DataFlow> complete(Result<DataFlow> flow, std::span<const Order> orders) {
    if (!flow) return flow;
    auto external = record(*flow, orders);
    if (!external) return external;
    merge_into(*flow, *external);
    return flow;
  }

  Result<DataFlow> record(const DataFlow& flow, std::span<const Order> orders) {
    const auto began = std::chrono::steady_clock::now();
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
    return builder.take(1, began);
  }

  std::unique_ptr<FlowCollector> memory_;
  Target target_;
  Inspection inspection_;
  ExecutorOptions options_;
};

template <class Collector>
Result<std::unique_ptr<FlowCollector>> as_collector(Result<std::unique_ptr<Collector>> opened) {
  if (!opened) return opened.error();
  return std::unique_ptr<FlowCollector>(std::move(*opened));
}

Result<std::unique_ptr<FlowCollector>> open_traced(const CollectorRequest& request,
                                                   Inspection inspection) {
  return as_collector(TraceCollector::open(request.target, std::move(inspection),
                                           {request.engine, default_cache_dir()}));
}

Result<std::unique_ptr<FlowCollector>> open_watching(const CollectorRequest& request,
                                                     const Inspection& inspection, bool files) {
  WatchOptions options;
  options.engine = request.engine;
  options.files = files;
  return as_collector(WatchCollector::open(request.target, inspection, std::move(options)));
}

}  // namespace

Result<std::unique_ptr<FlowCollector>> open_collector(const CollectorRequest& request) {
  auto inspection = inspect(request.target);
  if (!inspection) return inspection.error();
  if (!inspection->unhookable.empty()) return target_error(inspection->unhookable);
  const bool watch_files = watch_obstacle().empty();
  Result<std::unique_ptr<FlowCollector>> memory =
      request.source == FlowSource::trace
          ? open_traced(request, *inspection)
          : open_watching(request, *inspection, /*files=*/!watch_files);
  if (!memory || !watch_files) return memory;
  return std::unique_ptr<FlowCollector>(std::make_unique<ExternalCollector>(
      std::move(*memory), request.target, std::move(*inspection), request.engine));
}

}  // namespace gordian
