// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/call_sites.h"

#include "state/process_image.h"

namespace gordian {
namespace {

/// Runs to the next event that counts. nullopt: the search is over.
Result<std::optional<TraceEvent>> next_call(Tracer& tracer, const CallSearch& calls,
                                            const SiteSearch& search) {
  for (;;) {
    auto event = tracer.next(search.deadline, search.until);
    if (!event) return event.error();
    if (event->kind != TraceKind::function && event->kind != TraceKind::syscall) {
      return std::optional<TraceEvent>();
    }
    if (concerns(*event, calls.kind, calls.writing, calls.events, ProcessImage(event->tid)))
      return std::optional(*event);
  }
}

Status begin(Tracer& tracer, const CallSearch& calls, const SiteSearch& search) {
  if (Status set = tracer.watch_memory({}); !set) return set;
  if (Status set = tracer.stop_at_functions(calls.functions); !set) return set;
  if (Status set = tracer.stop_at_syscalls(calls.system_calls); !set) return set;
  search.release();
  return {};
}

/// Nothing more is to be caught.
Status end(Tracer& tracer) {
  if (Status set = tracer.stop_at_functions({}); !set) return set;
  return tracer.stop_at_syscalls({});
}

}  // namespace

Result<std::optional<Site>> first_call(Tracer& tracer, const CallSearch& calls,
                                       const SiteSearch& search) {
  if (Status begun = begin(tracer, calls, search); !begun) return begun.error();
  for (;;) {
    auto event = next_call(tracer, calls, search);
    if (!event) return event.error();
    if (!*event) return std::optional<Site>();
    auto stack = tracer.stack((*event)->tid);
    if (!stack || is_agents(*stack)) continue;
    return std::optional(site_of(std::move(*stack), 1));
  }
}

Result<std::optional<Site>> last_call(Tracer& tracer, const CallSearch& calls,
                                      const SiteSearch& search) {
  if (Status begun = begin(tracer, calls, search); !begun) return begun.error();
  std::optional<Site> last;
  for (std::uint64_t times = 0; times < search.max_hits;) {
    auto event = next_call(tracer, calls, search);
    if (!event) return event.error();
    if (!*event) return last;
    auto stack = tracer.stack((*event)->tid);
    if (!stack || is_agents(*stack)) continue;
    last = site_of(std::move(*stack), ++times);
  }
  last->times_capped = true;
  if (Status over = end(tracer); !over) return over.error();
  while (true) {
    auto event = tracer.next(search.deadline, search.until);
    if (!event) return event.error();
    if (event->kind != TraceKind::function && event->kind != TraceKind::syscall) return last;
  }
}

}  // namespace gordian
