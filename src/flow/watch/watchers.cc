// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/watch_pass.h"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/stack.h"
#include "state/external/external_kinds.h"
#include "state/process_image.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

namespace gordian {
namespace {

constexpr int kMostIdleHits = 1000;  // of the agent, or of writes that leave the question open
constexpr std::uint64_t kMostWrites = 64;

bool reads(const TraceEvent& event) {
  return !event.decoded || event.kind != TraceKind::write;
}
bool writes(const TraceEvent& event) {
  return event.kind != TraceKind::read;
}

/// Of no kind of state that is compared.
constexpr long kOfNoKind[] = {
    // modes of the process that are read nowhere
    SYS_mprotect, SYS_pkey_mprotect, SYS_process_vm_writev, SYS_membarrier, SYS_prctl, SYS_seccomp,
    SYS_arch_prctl, SYS_modify_ldt, SYS_iopl, SYS_ioperm, SYS_ptrace, SYS_set_mempolicy, SYS_mbind,
    SYS_migrate_pages, SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam,
    SYS_sched_setattr, SYS_ioprio_set, SYS_acct,
    // who and where it is
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups,
    SYS_setfsuid, SYS_setfsgid, SYS_capset, SYS_setsid, SYS_setpgid, SYS_unshare, SYS_setns,
    SYS_chroot, SYS_pivot_root, SYS_mount, SYS_umount2, SYS_sethostname, SYS_setdomainname,
    SYS_clock_settime, SYS_settimeofday, SYS_adjtimex, SYS_clock_adjtime,
    // what is shared with other processes
    SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv,
    SYS_msgctl, SYS_mq_open, SYS_mq_unlink, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_flock,
    // what hangs on descriptors and devices
    SYS_ioctl, SYS_fcntl, SYS_setsockopt, SYS_io_setup, SYS_io_uring_setup, SYS_bpf,
    SYS_perf_event_open, SYS_userfaultfd, SYS_fanotify_init, SYS_inotify_add_watch};

/// System calls that may leave something changed which no comparison of states shows: locks, keys,
/// shared memory, rights, schedules, modes of devices. Whoever makes one is unsure.
const std::vector<long>& unseen_calls() {
  static const std::vector<long> calls = [] {
    std::vector<long> all(std::begin(kOfNoKind), std::end(kOfNoKind));
    for (const ExternalKind* kind : kinds::kAll) {
      all.insert(all.end(), kind->unseen.begin(), kind->unseen.end());
    }
    return all;
  }();
  return calls;
}

/// Of those, by its arguments: asking changes nothing.
bool may_leave_unseen(long number, const std::array<std::uint64_t, 6>& arguments) {
  switch (number) {
    case SYS_membarrier:
      return arguments[0] != MEMBARRIER_CMD_QUERY;
    case SYS_prctl:  // names are compared, or mean nothing
      return arguments[0] != PR_SET_NAME && arguments[0] != PR_GET_NAME &&
             arguments[0] != PR_SET_VMA;
    case SYS_ioctl:
      return arguments[1] != TCGETS && arguments[1] != TIOCGWINSZ && arguments[1] != FIONREAD;
    case SYS_fcntl:  // flags and numbers are compared
      return arguments[1] == F_SETLK || arguments[1] == F_SETLKW || arguments[1] == F_SETOWN ||
             arguments[1] == F_SETSIG || arguments[1] == F_SETLEASE || arguments[1] == F_NOTIFY ||
             arguments[1] == F_OFD_SETLK || arguments[1] == F_OFD_SETLKW;
    default:
      return true;
  }
}

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

WordWatcher::WordWatcher(Tracer& tracer, const PassRequest& request, std::size_t position,
                         PositionReads& result)
    : tracer_(tracer), request_(request), result_(result) {
  for (const WordWatch& word : request.words) {
    if (position < word.from || position >= word.to) continue;
    const bool writer = request.sites &&
                        std::any_of(word.states.begin(), word.states.end(), [&](std::size_t state) {
                          return request.is_writer(position, state);
                        });
    words_.push_back({&word, word.watch.reads, writer, 0, 0, {}});
  }
}

Status WordWatcher::arm() {
  std::vector<Watch> watches;
  std::vector<std::size_t> armed;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!words_[i].reads_wanted && !words_[i].writes_wanted) continue;
    watches.push_back(words_[i].word->watch);
    watches.back().reads = words_[i].reads_wanted;
    armed.push_back(i);
  }
  armed_ = std::move(armed);
  return tracer_.watch_memory(watches, request_.kernel);
}

bool WordWatcher::is_agents(const TraceEvent& event, std::vector<StackFrame>& stack) {
  auto addresses = tracer_.addresses(event.tid);
  if (!addresses) return false;  // killed just now: its end comes next
  stack = request_.stacks->describe(tracer_, *addresses);
  return gordian::is_agents(stack);
}

void WordWatcher::give_up_if_idle(Word& word) {
  if (++word.hits < kMostIdleHits) return;
  word.reads_wanted = false;
  if (!request_.cautious) return;
  for (std::size_t state : word.word->states) result_.reads.try_emplace(state);
}

void WordWatcher::on_read(Word& word, const TraceEvent& event) {
  std::vector<StackFrame> stack;
  const bool agents = is_agents(event, stack);
  const bool libc = !stack.empty() && stack.front().module.starts_with("libc.so");
  if (agents || (libc && word.word->outside_libc)) {
    return give_up_if_idle(word);
  }
  word.reads_wanted = false;
  for (std::size_t state : word.word->states) {
    auto [read, fresh] = result_.reads.try_emplace(state);
    if (fresh && request_.sites) read->second = site_of(stack);
  }
}

void WordWatcher::on_write(Word& word, const TraceEvent& event) {
  if (word.word->settles) word.reads_wanted = false;
  if (word.reads_wanted) give_up_if_idle(word);
  if (!word.writes_wanted) return;
  if (auto addresses = tracer_.addresses(event.tid)) word.last_write = std::move(*addresses);
  if (++word.writes == kMostWrites) word.writes_wanted = false;
}

Status WordWatcher::on_event(const TraceEvent& event) {
  if (event.watch >= armed_.size()) return {};
  Word& word = words_[armed_[event.watch]];
  const bool reads_before = word.reads_wanted, writes_before = word.writes_wanted;
  if (word.reads_wanted && reads(event)) on_read(word, event);
  if (writes(event)) on_write(word, event);
  const bool other = word.reads_wanted != reads_before || word.writes_wanted != writes_before;
  return other ? arm() : Status{};
}

void WordWatcher::finish() {
  for (Word& word : words_) {
    if (word.last_write.empty()) continue;
    std::vector<StackFrame> stack = request_.stacks->describe(tracer_, word.last_write);
    if (gordian::is_agents(stack)) continue;
    Site site = site_of(std::move(stack), word.writes);
    site.times_capped = word.writes >= kMostWrites;
    for (std::size_t state : word.word->states) result_.writes.try_emplace(state, site);
  }
}

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
