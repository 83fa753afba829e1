// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Collects the data flow of a suite in memory, without a mistake: the twin of what watches
// binaries.
#pragma once

#include <memory>
#include <string>

#include "flow/flow_builder.h"
#include "runtime/powers.h"
#include "tests/detect/model_suite.h"

namespace gordian::detect_test {

class ModelCollector : public FlowCollector {
 public:
  explicit ModelCollector(const ModelRunner& runner, bool misses_something = false)
      : runner_(runner), misses_something_(misses_something) {}

  Result<DataFlow> in_order(const Order& order) override { return collect(order, false); }
  Result<DataFlow> alone(const Order& tests) override { return collect(tests, true); }

 private:
  DataFlow collect(const Order& order, bool alone) const {
    FlowBuilder builder(FlowSource::trace, alone);
    ModelTest::State state{};
    Random unused(0);
    for (TestId id : order) {
      if (alone) state = {};
      const ModelTest::State before = state;
      ModelTest::Reads reads{};
      const Outcome outcome = runner_.test(id).run(state, unused, &reads);
      builder.begin(id);
      for (std::size_t cell = 0; cell < state.size(); ++cell) {
        SharedState description;
        description.key = {CarrierKind::variable, "cell" + std::to_string(cell)};
        const StateId shared = builder.state(description);
        if (reads[cell]) builder.read(shared);
        if (state[cell] != before[cell]) builder.wrote(shared);
      }
      if (outcome.kind == OutcomeKind::crash) builder.unsure("it crashed");
    }
    if (misses_something_) builder.misses("what it does not look at");
    DataFlow flow = builder.take();
    flow.passes = 1;
    return flow;
  }

  const ModelRunner& runner_;
  bool misses_something_;
};

/// For DetectRequest::collector. The runner must outlive it.
inline auto collector_of(const ModelRunner& runner, bool misses_something = false) {
  return [&runner, misses_something] {
    std::unique_ptr<FlowCollector> made =
        std::make_unique<ModelCollector>(runner, misses_something);
    return Result<std::unique_ptr<FlowCollector>>(std::move(made));
  };
}

}  // namespace gordian::detect_test
