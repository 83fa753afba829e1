// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "trace/open_collector.h"

#include <utility>

#include "engine/inspect.h"
#include "symbols/index_cache.h"
#include "trace/trace_collector.h"
#include "trace/watch_collector.h"

namespace gordian {
namespace {

template <class Collector>
Result<std::unique_ptr<FlowCollector>> as_collector(Result<std::unique_ptr<Collector>> opened) {
  if (!opened) return opened.error();
  return std::unique_ptr<FlowCollector>(std::move(*opened));
}

}  // namespace

Result<std::unique_ptr<FlowCollector>> open_collector(const CollectorRequest& request) {
  auto inspection = inspect(request.target);
  if (!inspection) return inspection.error();
  if (!inspection->unhookable.empty()) return target_error(inspection->unhookable);
  if (request.source == FlowSource::trace) {
    return as_collector(TraceCollector::open(request.target, std::move(*inspection),
                                             {request.engine, default_cache_dir()}));
  }
  WatchOptions options;
  options.engine = request.engine;
  return as_collector(WatchCollector::open(request.target, inspection->elf, std::move(options)));
}

}  // namespace gordian
