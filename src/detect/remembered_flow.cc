// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/remembered_flow.h"

#include <utility>

namespace gordian {
namespace {

class RememberingCollector : public FlowCollector {
 public:
  RememberingCollector(FlowMemory memory, OpenCollector open)
      : memory_(std::move(memory)), open_(std::move(open)) {}

  Result<DataFlow> in_order(const Order& order) override { return collect(order, false); }
  Result<DataFlow> alone(const Order& tests) override { return collect(tests, true); }

 private:
  Result<DataFlow> collect(const Order& order, bool alone) {
    const FlowKey key = memory_.key(order, alone);
    if (memory_.store != nullptr && !memory_.again) {
      auto stored = memory_.store->load(key, memory_.build, memory_.suite);
      if (stored && *stored) {
        DataFlow& flow = (*stored)->flow;
        if (!memory_.keep) flow.passes = 0, flow.seconds = 0;
        return std::move(flow);
      }
    }
    auto inner = open_();
    if (!inner) return inner.error();
    (*inner)->should_stop = should_stop;
    (*inner)->progress = progress;
    auto flow = alone ? (*inner)->alone(order) : (*inner)->in_order(order);
    if (flow && memory_.store != nullptr && memory_.keep) {
      (void)memory_.store->save(key, memory_.build, memory_.suite, *flow);
    }
    return flow;
  }

  FlowMemory memory_;
  OpenCollector open_;
};

}  // namespace

std::unique_ptr<FlowCollector> remembering_collector(FlowMemory memory, OpenCollector open) {
  return std::make_unique<RememberingCollector>(std::move(memory), std::move(open));
}

Result<std::optional<StoredFlow>> remembered(const FlowMemory& memory, const Order& order) {
  if (memory.store == nullptr || memory.again) return std::optional<StoredFlow>();
  return memory.store->load(memory.key(order, false), memory.build, memory.suite);
}

Status remember(const FlowMemory& memory, const FlowFacts& facts) {
  if (memory.store == nullptr) return {};
  return memory.store->save(memory.key(facts.flow.order, false), memory.build, memory.suite,
                            record_of(facts));
}

}  // namespace gordian
