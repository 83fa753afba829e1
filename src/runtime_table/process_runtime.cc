// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime_table/rows.h"

#include <filesystem>
#include <utility>

#include "model/declared.h"
#include "runtime/process/process_collector.h"
#include "runtime/process/process_runner.h"
#include "runtime/process/process_suite.h"

namespace gordian {
namespace {

class ProcessSession : public Session {
 public:
  static Result<std::unique_ptr<Session>> open(SessionRequest request);

  const Suite& suite() const override { return runner_->suite(); }
  const Target& target() const override { return target_; }
  const BinaryIdentity& identity() const override { return identity_; }
  Isolation isolation() const override { return isolation_; }
  const std::vector<Notice>& notices() const override { return runner_->notices(); }
  bool private_fs() const override { return runner_->private_fs(); }

  const std::vector<std::string>& fork_problems() const override {
    return runner_->fork_problems();
  }
  Result<std::vector<OrderRun>> run_forked(std::span<const Order> orders, Shape shape,
                                           RunListener& listener) override {
    return runner_->run_forked(orders, shape, listener);
  }
  Result<std::vector<OrderRun>> run_fresh(std::span<const Order> orders,
                                          RunListener& listener) override {
    return runner_->run_fresh(orders, listener);
  }
  Result<std::vector<TestRun>> run_apart(std::span<const TestId> tests,
                                         RunListener& listener) override;

  CodeHashes hash_code() const override { return {runner_->processes().code_hashes(), {}}; }
  Result<std::unique_ptr<FlowCollector>> collector(FlowSource source) override;

 private:
  ProcessSession(const SessionRequest& request, BinaryIdentity identity,
                 std::unique_ptr<ProcessRunner> runner)
      : target_(request.target),
        identity_(std::move(identity)),
        isolation_(request.isolation == Isolation::none ? Isolation::none : Isolation::process),
        runner_(std::move(runner)) {}

  Target target_;
  BinaryIdentity identity_;
  Isolation isolation_;
  std::unique_ptr<ProcessRunner> runner_;
};

Result<std::unique_ptr<Session>> ProcessSession::open(SessionRequest request) {
  auto suite = ProcessSuite::open(request.target, request.also_disabled);
  if (!suite) return suite.error();
  BinaryIdentity identity = suite->identity();
  auto runner = ProcessRunner::open(std::move(*suite), request.engine);
  if (!runner) return runner.error();
  return std::unique_ptr<Session>(
      new ProcessSession(request, std::move(identity), std::move(*runner)));
}

/// Each in a view of its own, with what it declares before it: that is part of it.
Result<std::vector<TestRun>> ProcessSession::run_apart(std::span<const TestId> tests,
                                                       RunListener& listener) {
  const Declared declared(suite());
  std::vector<Order> orders;
  for (TestId test : tests) orders.push_back(declared.complete({test}).order);
  auto runs = runner_->run_for_last(orders, listener);
  if (!runs) return runs.error();
  std::vector<TestRun> results;
  for (OrderRun& run : *runs) results.push_back(std::move(run.runs.back()));
  return results;
}

Result<std::unique_ptr<FlowCollector>> ProcessSession::collector(FlowSource source) {
  const Refusal& refusal = kProcessRuntime.no_traces;
  if (source == FlowSource::trace) {
    return usage_error(std::string(refusal.why), std::string(refusal.instead));
  }
  return std::unique_ptr<FlowCollector>(std::make_unique<ProcessCollector>(*runner_));
}

class ProcessRuntime : public Runtime {
 public:
  const RuntimeTraits& traits() const override { return kProcessRuntime; }
  bool recognises(const Target& target) const override {
    std::error_code none;
    return std::filesystem::is_directory(target.binary, none);
  }
  Result<TargetSelection> resolve(const std::vector<std::string>& words,
                                  const std::vector<std::string>& args) const override {
    return resolve_process_targets(words, args);
  }
  Result<Suite> list(const Target& target, const EngineOptions& engine,
                     std::vector<Notice>& notices) const override {
    auto processes = ProcessSuite::open(target, engine.also_disabled);
    if (!processes) return processes.error();
    notices.insert(notices.end(), processes->notices().begin(), processes->notices().end());
    return processes->suite();
  }
  Result<BinaryIdentity> identify(const Target& target) const override {
    auto processes = ProcessSuite::open(target);
    if (!processes) return processes.error();
    return processes->identity();
  }
  Result<std::unique_ptr<Session>> open(SessionRequest request) const override {
    return ProcessSession::open(std::move(request));
  }
  Result<std::unique_ptr<StateProber>> prober(const Target& target,
                                              const EngineOptions& engine) const override {
    return process_prober(target, engine);
  }
  Result<std::vector<CtestEntry>> ctest_entries(const Target& target) const override {
    auto processes = ProcessSuite::open(target);
    if (!processes) return processes.error();
    std::vector<CtestEntry> entries;
    for (const ProcessStep& step : processes->steps()) entries.push_back(step.entry);
    return entries;
  }
};

}  // namespace

const Runtime& process_runtime() {
  static const ProcessRuntime runtime;
  return runtime;
}

}  // namespace gordian
