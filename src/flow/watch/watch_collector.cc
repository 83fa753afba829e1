// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/watch_collector.h"

#include <fmt/format.h>

#include <algorithm>

#include "flow/watch/watch_work.h"
#include "symbols/index_cache.h"

namespace gordian {

WatchCollector::WatchCollector(WatchOptions options)
    : options_(std::move(options)), program_(default_cache_dir()) {}

Result<std::unique_ptr<WatchCollector>> WatchCollector::open(const Target& target,
                                                             const Inspection& inspection,
                                                             WatchOptions options) {
  ExecutorOptions& engine = options.engine;
  engine.snapshots = engine.verify_snapshots = false;
  engine.jobs = 1;
  engine.same_addresses = true;  // what is learnt in one run holds for the next
  std::unique_ptr<WatchCollector> collector(new WatchCollector(std::move(options)));
  ExecutorOptions used = collector->options_.engine;
  used.should_stop = [self = collector.get()] {
    return self->options_.engine.should_stop() || self->should_stop();
  };
  auto executor = Executor::open(target, inspection.elf, inspection.framework, used);
  if (!executor) return executor.error();
  collector->executor_ = std::move(*executor);
  return collector;
}

Result<DataFlow> WatchCollector::in_order(const Order& order) {
  WatchWork work(*executor_, program_, stacks_, options_, should_stop, progress);
  return work.in_order(order);
}

Result<DataFlow> WatchCollector::alone(const Order& tests) {
  WatchWork work(*executor_, program_, stacks_, options_, should_stop, progress);
  return work.alone(tests);
}

}  // namespace gordian
