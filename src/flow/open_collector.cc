// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/open_collector.h"

#include <utility>

#include "flow/external/external_collector.h"
#include "flow/traced/trace_collector.h"
#include "flow/watch/watch_collector.h"
#include "runtime/native/inspect.h"
#include "runtime/native/syscall_watch.h"
#include "symbols/index_cache.h"

namespace gordian {
namespace {

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
