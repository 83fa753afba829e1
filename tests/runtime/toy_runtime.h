// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A runtime whose targets are suites in memory: files that end in .toy, whatever is in them. What
// it shows is that a runtime is a Session and a Runtime, and that nothing above them needs another.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/runtime.h"
#include "tests/detect/model_collector.h"

namespace gordian::detect_test {

inline constexpr RuntimeTraits kToyTraits = {
    .word = "toy",
    .level = "",
    .level_help = "",
    .level_option = "",
    .thing = "toy",
    .made_anew = "changed",
    .one_process = true,
    .test_timeout = "",
    .no_patches = {"toys have no sources", "name a test binary"},
    .no_debugger = {"toys have no debugger", ""},
    .no_traces = {"toys are not compiled", "leave --trace out"},
};

class ToySession : public Session {
 public:
  ToySession(Target target, ModelRunner runner, Isolation asked = Isolation::fork)
      : target_(std::move(target)),
        runner_(std::move(runner)),
        isolation_(asked == Isolation::none ? asked : Isolation::fork) {
    const Suite& model = runner_.suite();
    suite_ = Suite(&kToyTraits, Framework::unknown, "", model.tests());
    identity_.path = target_.binary.string();
    identity_.sha256 = "toy";
  }

  const Suite& suite() const override { return suite_; }
  const Target& target() const override { return target_; }
  const BinaryIdentity& identity() const override { return identity_; }
  Isolation isolation() const override { return isolation_; }
  bool private_fs() const override { return true; }
  const std::vector<Notice>& notices() const override { return notices_; }
  const std::vector<std::string>& fork_problems() const override { return runner_.fork_problems(); }
  Result<std::vector<OrderRun>> run_forked(std::span<const Order> orders, Shape shape,
                                           RunListener& listener) override {
    return told(runner_.run_forked(orders, shape, listener), listener);
  }
  Result<std::vector<OrderRun>> run_fresh(std::span<const Order> orders,
                                          RunListener& listener) override {
    return told(runner_.run_fresh(orders, listener), listener);
  }
  Result<std::vector<TestRun>> run_apart(std::span<const TestId> tests,
                                         RunListener& listener) override {
    std::vector<TestRun> runs;
    for (TestId test : tests) {
      TestRun& run = runs.emplace_back();
      run.test = test;
      run.outcome = runner_.after({}, test);
      listener.test_finished(run);
    }
    return runs;
  }
  Result<std::unique_ptr<FlowCollector>> collector(FlowSource) override {
    return std::unique_ptr<FlowCollector>(std::make_unique<ModelCollector>(runner_));
  }

 private:
  static Result<std::vector<OrderRun>> told(Result<std::vector<OrderRun>> runs,
                                            RunListener& listener) {
    for (const OrderRun& order : *runs) {
      for (const TestRun& run : order.runs) {
        if (run.outcome.kind != OutcomeKind::not_run) listener.test_finished(run);
      }
    }
    return runs;
  }

  Target target_;
  ModelRunner runner_;
  Isolation isolation_;
  Suite suite_;
  BinaryIdentity identity_;
  std::vector<Notice> notices_;
};

/// The cells that the tests before have changed.
class ToyProbe : public StateProbe {
 public:
  ToyProbe(const ModelRunner& runner, const Dependence& dependence)
      : runner_(runner), dependence_(dependence) {
    const Order& witness = dependence.witness;
    for (std::size_t i = 0; i + 1 < witness.size(); ++i) {
      runner_.test(witness[i]).run(state_, unused_);
    }
  }

  Result<std::optional<SuspectStates>> look() override {
    if (std::exchange(looked_, true)) return std::optional<SuspectStates>();
    SuspectStates seen;
    for (std::size_t cell = 0; cell < state_.size(); ++cell) {
      if (state_[cell] == 0) continue;
      cells_.push_back(cell);
      Carrier& carrier = seen.all.emplace_back().carrier;
      carrier.key = {CarrierKind::variable, NameKey{"cell" + std::to_string(cell)}};
      carrier.old_value = "0";
      carrier.new_value = std::to_string(state_[cell]);
    }
    seen.of_program = cells_.size();
    seen.why_not = "no cell matters";
    return std::optional(std::move(seen));
  }
  Result<std::optional<Outcome>> put_back(std::span<const std::size_t> suspects) override {
    ModelTest::State state = state_;
    for (std::size_t i : suspects) state[cells_[i]] = 0;
    return std::optional(runner_.test(dependence_.test).run(state, unused_));
  }

 private:
  const ModelRunner& runner_;
  const Dependence& dependence_;
  ModelTest::State state_{};
  Random unused_{0};
  std::vector<std::size_t> cells_;
  bool looked_ = false;
};

class ToyProber : public StateProber {
 public:
  explicit ToyProber(ModelRunner runner) : runner_(std::move(runner)) {}

  const Suite& suite() const override { return runner_.suite(); }
  std::unique_ptr<StateProbe> probe(const Dependence& dependence) override {
    return std::make_unique<ToyProbe>(runner_, dependence);
  }

 private:
  ModelRunner runner_;
};

class ToyRuntime : public Runtime {
 public:
  explicit ToyRuntime(std::vector<ModelTest> tests) : tests_(std::move(tests)) {}

  const RuntimeTraits& traits() const override { return kToyTraits; }
  bool recognises(const Target& target) const override {
    return target.binary.extension() == ".toy";
  }
  Result<TargetSelection> resolve(const std::vector<std::string>& words,
                                  const std::vector<std::string>& args) const override {
    return resolve_targets(words, args);
  }
  Result<Suite> list(const Target& target, const EngineOptions&,
                     std::vector<Notice>&) const override {
    return ToySession(target, ModelRunner(tests_)).suite();
  }
  Result<BinaryIdentity> identify(const Target& target) const override {
    return ToySession(target, ModelRunner(tests_)).identity();
  }
  Result<std::unique_ptr<Session>> open(SessionRequest request) const override {
    return std::unique_ptr<Session>(
        std::make_unique<ToySession>(request.target, ModelRunner(tests_), request.isolation));
  }
  Result<std::unique_ptr<StateProber>> prober(const Target&, const EngineOptions&) const override {
    return std::unique_ptr<StateProber>(std::make_unique<ToyProber>(ModelRunner(tests_)));
  }

 private:
  std::vector<ModelTest> tests_;
};

}  // namespace gordian::detect_test
