// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/call_watcher.h"

#include <sys/syscall.h>

#include <algorithm>

#include "flow/watch/unseen_calls.h"
#include "model/stack.h"
#include "state/process_image.h"
#include "state/state_calls.h"

namespace gordian {
namespace {

constexpr int kMostHits = 200;  // of one function in one test, that told nothing

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// malloc and the loader map memory and move the end of the heap for everybody: only who asks for
/// himself, and for a certain place, can notice what is there. He comes through a thin function of
/// the C library or none; malloc is deeper in it.
bool asks_for_place(const TraceEvent& event, const std::vector<StackFrame>& stack) {
  constexpr std::ptrdiff_t kThin = 2;
  if (event.syscall == SYS_mmap && event.arguments[0] == 0) return false;
  const auto outside = std::find_if(stack.begin(), stack.end(), [](const StackFrame& frame) {
    return !frame.module.starts_with("libc.so") && !frame.module.starts_with("ld-linux");
  });
  return outside - stack.begin() <= kThin;
}

}  // namespace

CallWatcher::CallWatcher(const PassRequest& request, const PassSettings& settings)
    : request_(request) {
  for (const CallWatch& call : request.calls) {
    for (const auto* names : {&call.events.readers, &call.events.writers}) {
      for (const std::string& name : *names) {
        if (entries_.contains(name)) continue;
        auto address = settings.function_named(name);
        if (!address) continue;
        entries_[name] = *address;
        functions_[*address] = name;
      }
    }
  }
}

Status CallWatcher::set_functions(Tracer& tracer) {
  std::set<std::uint64_t> wanted;
  for (const Open& open : open_) {
    if (open.decided) continue;
    for (const auto* names : {&open.call->events.readers, &open.call->events.writers}) {
      for (const std::string& name : *names) {
        auto entry = entries_.find(name);
        if (entry != entries_.end() && hits_[entry->second] < kMostHits)
          wanted.insert(entry->second);
      }
    }
  }
  if (wanted == set_functions_) return {};
  set_functions_ = wanted;
  return tracer.stop_at_functions(std::vector<std::uint64_t>(wanted.begin(), wanted.end()));
}

Status CallWatcher::begin_test(Tracer& tracer, std::size_t position) {
  if (request_.calls.empty() && !request_.unseen_calls) return {};
  open_.clear();
  hits_.clear();
  std::set<long> numbers;
  if (request_.unseen_calls) numbers.insert(unseen_calls().begin(), unseen_calls().end());
  for (const CallWatch& call : request_.calls) {
    if (position < call.from || position >= call.to) continue;
    open_.push_back({&call, false});
    numbers.insert(call.events.reading_calls.begin(), call.events.reading_calls.end());
    numbers.insert(call.events.writing_calls.begin(), call.events.writing_calls.end());
  }
  if (Status set = set_functions(tracer); !set) return set;
  return tracer.stop_at_syscalls(std::vector<long>(numbers.begin(), numbers.end()));
}

bool CallWatcher::names(const TraceEvent& event, const std::vector<std::string>& functions,
                        const std::vector<long>& calls) const {
  if (event.kind == TraceKind::syscall) {
    return std::find(calls.begin(), calls.end(), event.syscall) != calls.end();
  }
  auto function = functions_.find(event.instruction);
  return function != functions_.end() && contains(functions, function->second);
}

void CallWatcher::judge(Tracer& tracer, const TraceEvent& event, Open& open,
                        PositionReads& result) {
  const CallWatch& call = *open.call;
  const ProcessImage memory(event.tid);
  const bool reads = names(event, call.events.readers, call.events.reading_calls) &&
                     concerns(event, call.kind, false, call.events, memory);
  const bool writes = names(event, call.events.writers, call.events.writing_calls) &&
                      concerns(event, call.kind, true, call.events, memory);
  if (!reads && !writes) return;
  auto addresses = tracer.addresses(event.tid);
  if (!addresses) return;
  std::vector<StackFrame> stack = request_.stacks->describe(tracer, *addresses);
  if (is_agents(stack)) return;
  if (call.kind == CarrierKind::mapping && !asks_for_place(event, stack)) return;
  open.decided = true;
  if (!reads) return;
  auto [read, fresh] = result.reads.try_emplace(call.state);
  if (fresh && request_.sites) read->second = site_of(std::move(stack));
}

void CallWatcher::note_unseen(Tracer& tracer, const TraceEvent& event, PositionReads& result) {
  const auto& calls = unseen_calls();
  if (std::find(calls.begin(), calls.end(), event.syscall) == calls.end()) return;
  if (result.unseen_call || !may_leave_unseen(event.syscall, event.arguments)) return;
  auto addresses = tracer.addresses(event.tid);
  const auto stack =
      addresses ? request_.stacks->describe(tracer, *addresses) : std::vector<StackFrame>();
  // Threads and malloc give themselves rights to their own; who does so by hand may be about to
  // write what is constant otherwise, and is not compared.
  if (event.syscall == SYS_mprotect && !asks_for_place(event, stack)) return;
  if (!is_agents(stack)) result.unseen_call = true;
}

Status CallWatcher::on_event(Tracer& tracer, const TraceEvent& event, PositionReads& result) {
  if (request_.unseen_calls && event.kind == TraceKind::syscall) note_unseen(tracer, event, result);
  bool decided = false;
  for (Open& open : open_) {
    if (open.decided) continue;
    judge(tracer, event, open, result);
    decided |= open.decided;
  }
  const bool worn = event.kind == TraceKind::function && ++hits_[event.instruction] == kMostHits;
  if (worn && request_.cautious) {
    for (Open& open : open_) {
      if (open.decided || !names(event, open.call->events.readers, {})) continue;
      result.reads.try_emplace(open.call->state);
      open.decided = true;
    }
  }
  return decided || worn ? set_functions(tracer) : Status{};
}

}  // namespace gordian
