// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/native/witness_lab.h"

#include <algorithm>
#include <unordered_map>

#include "model/stack.h"
#include "state/external/external_kinds.h"
#include "state/external/external_state.h"
#include "state/process_image.h"

namespace gordian {
namespace {

bool is_write(TraceKind kind) {
  return kind == TraceKind::write || kind == TraceKind::read_write;
}
bool is_read(TraceKind kind) {
  return kind == TraceKind::read || kind == TraceKind::read_write;
}

std::vector<Watch> with_reads(std::span<const Watch> watches, bool reads) {
  std::vector<Watch> result(watches.begin(), watches.end());
  for (Watch& watch : result) watch.reads = reads;
  return result;
}

/// Whose code an address is, remembered: looking it up costs more than the hit itself.
class Owners {
 public:
  explicit Owners(Tracer& tracer) : tracer_(tracer) {}

  bool is_agents(std::span<const FrameAddress> stack) {
    for (const FrameAddress& address : stack) {
      auto [known, fresh] = owners_.try_emplace(address.at, Owner::system);
      if (fresh) known->second = look_up(address);
      if (known->second != Owner::system) return known->second == Owner::agent;
    }
    return false;
  }

 private:
  enum class Owner : std::uint8_t { system, agent, program };

  Owner look_up(const FrameAddress& address) {
    const std::vector<StackFrame> frames = tracer_.describe(std::span(&address, 1));
    if (gordian::is_agents(frames)) return Owner::agent;
    return std::any_of(frames.begin(), frames.end(), is_programs) ? Owner::program : Owner::system;
  }

  Tracer& tracer_;
  std::unordered_map<std::uint64_t, Owner> owners_;
};

/// Sets the watches, lets the process go and hands every memory event to `on_hit` until that says
/// false. Returns what ended it; nullopt when that was `on_hit`.
template <class OnHit>
Result<std::optional<TraceKind>> run(Tracer& tracer, std::span<const Watch> watches,
                                     const SiteSearch& search, OnHit on_hit) {
  if (Status set = tracer.watch_memory(watches, search.kernel); !set) return set.error();
  if (search.release) search.release();
  for (;;) {
    auto event = tracer.next(search.deadline, search.until);
    if (!event) return event.error();
    if (is_read(event->kind) || is_write(event->kind)) {
      Result<bool> more = on_hit(*event);
      if (!more) return more.error();
      if (!*more) return std::optional<TraceKind>();
    } else if (event->kind == TraceKind::exited || event->kind == TraceKind::timed_out ||
               event->kind == TraceKind::stopped) {
      return std::optional(event->kind);
    }
  }
}

/// The process runs on, with nothing watched once enough was seen.
Result<bool> keep_on(Tracer& tracer, bool capped) {
  if (!capped) return true;
  if (Status unset = tracer.watch_memory({}); !unset) return unset.error();
  return true;
}

/// Sites of state that is not the program's memory: the calls that write it and read it.
struct CallSearch {
  CarrierKind kind;
  bool writing = false;  ///< calls that only ask do not count
  StateEvents events;    ///< its argument and number say which calls count
  std::vector<long> system_calls;
  std::vector<std::uint64_t> functions;  ///< addresses
};

/// Runs to the next call that counts, and is not our agent's. nullopt: the search is over.
Result<std::optional<std::vector<StackFrame>>> next_call(Tracer& tracer, const CallSearch& calls,
                                                         const SiteSearch& search) {
  for (;;) {
    auto event = tracer.next(search.deadline, search.until);
    if (!event) return event.error();
    if (event->kind != TraceKind::function && event->kind != TraceKind::syscall) {
      return std::optional<std::vector<StackFrame>>();
    }
    const ProcessImage memory(event->tid);
    if (!concerns(*event, calls.kind, calls.writing, calls.events, memory)) continue;
    auto stack = tracer.stack(event->tid);
    if (stack && !is_agents(*stack)) return std::optional(std::move(*stack));
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

/// Of a process that is attached, with nothing watched. It stands at the call afterwards, or has
/// come to the end of the search.
Result<std::optional<Site>> first_call(Tracer& tracer, const CallSearch& calls,
                                       const SiteSearch& search) {
  if (Status begun = begin(tracer, calls, search); !begun) return begun.error();
  auto stack = next_call(tracer, calls, search);
  if (!stack) return stack.error();
  return *stack ? std::optional(site_of(std::move(**stack), 1)) : std::nullopt;
}

Result<std::optional<Site>> last_call(Tracer& tracer, const CallSearch& calls,
                                      const SiteSearch& search) {
  if (Status begun = begin(tracer, calls, search); !begun) return begun.error();
  std::optional<Site> last;
  for (std::uint64_t times = 0; times < search.max_hits;) {
    auto stack = next_call(tracer, calls, search);
    if (!stack) return stack.error();
    if (!*stack) return last;
    last = site_of(std::move(**stack), ++times);
  }
  last->times_capped = true;
  if (Status over = end(tracer); !over) return over.error();
  while (true) {
    auto event = tracer.next(search.deadline, search.until);
    if (!event) return event.error();
    if (event->kind != TraceKind::function && event->kind != TraceKind::syscall) return last;
  }
}

using Clock = Tracer::Clock;

/// The first bytes of the ranges, in the pieces that the processor can watch.
std::vector<Watch> watches_for(const std::vector<ByteRange>& ranges, bool reads) {
  std::vector<Watch> watches;
  for (const ByteRange& range : ranges) {
    for (std::uint64_t at = range.begin; at < range.end();) {
      if (watches.size() == kMaxWatches) return watches;
      std::uint8_t size = 8;
      while (at % size != 0 || at + size > range.end()) size /= 2;
      watches.push_back({at, size, reads});
      at += size;
    }
  }
  return watches;
}

class SiteFinder {
 public:
  SiteFinder(WitnessLab& lab, ProgramMemory& program, const Candidate& candidate,
             std::chrono::milliseconds patience)
      : lab_(lab), program_(program), candidate_(candidate), patience_(patience) {}

  Result<FoundSites> find(Moment moment) {
    if (!by_memory()) return look({}, moment);
    // What changed first says most; a container may be searched without a look at what has changed.
    FoundSites best;
    std::vector<std::vector<ByteRange>> places{{candidate_.words.front()}};
    if (candidate_.words.size() > 1) places.push_back(candidate_.words);
    if (candidate_.root.size > 0) places.push_back({candidate_.root});
    for (std::vector<ByteRange>& place : places) {
      auto found = look(std::move(place), moment);
      if (!found) return found;
      if (!best.write) best.write = std::move(found->write);
      if (!best.read) best.read = std::move(found->read);
      if (best.write && best.read) break;
    }
    return best;
  }

 private:
  Result<FoundSites> look(std::vector<ByteRange> words, Moment moment) {
    words_ = std::move(words);
    found_ = {};
    WitnessLab::Visits visits;
    visits.at_start = [this](HeldProcess& held) { at_start(held); };
    visits.at_end = [this](HeldProcess& held) { at_end(held); };
    auto outcome = lab_.run(visits, moment);
    tracer_.reset();
    if (!outcome) return outcome.error();
    if (error_) return *error_;
    name_tests();
    return std::move(found_);
  }

  void at_start(HeldProcess& held) {
    auto attached = Tracer::attach(held.pid());
    if (!attached) {
      error_ = attached.error();
      return;
    }
    tracer_.emplace(std::move(*attached));
    take(found_.write, by_memory()
                           ? last_write(*tracer_, watches_for(words_, false), search(held, true))
                           : last_call(*tracer_, writing(), search(held, true)));
    // The process waits at the end of the witness now, or is gone.
  }

  void at_end(HeldProcess& held) {
    if (!tracer_) return;
    take(found_.read, by_memory()
                          ? first_read(*tracer_, watches_for(words_, true), search(held, false))
                          : first_call(*tracer_, reading(), search(held, false)));
    if (!held.let_go_already()) held.let_go();
    tracer_.reset();
  }

  bool by_memory() const { return !candidate_.words.empty(); }

  SiteSearch search(HeldProcess& held, bool until_held) {
    SiteSearch search;
    search.release = [&held] { held.let_go(); };
    search.until = [&held, until_held] { return until_held && held.held_again(); };
    search.deadline = Clock::now() + patience_;
    search.max_hits = 20'000;
    return search;
  }

  CallSearch writing() {
    return calls(true, candidate_.events.writing_calls, candidate_.events.writers);
  }
  CallSearch reading() {
    return calls(false, candidate_.events.reading_calls, candidate_.events.readers);
  }
  CallSearch calls(bool writing, const std::vector<long>& numbers,
                   const std::vector<std::string>& functions) {
    CallSearch search{candidate_.carrier.key.kind(), writing, candidate_.events, numbers, {}};
    for (const std::string& name : functions) {
      if (auto address = program_.function_named(name)) search.functions.push_back(*address);
    }
    return search;
  }

  void take(std::optional<Site>& into, Result<std::optional<Site>> result) {
    if (result) {
      into = std::move(*result);
    } else if (!error_) {
      error_ = result.error();
    }
  }

  void name_tests() {
    const Dependence& dependence = lab_.dependence();
    if (found_.read) found_.read->test = lab_.name_of(dependence.test);
    if (!found_.write) return;
    TestId writer = dependence.by.back();
    for (TestId test : dependence.by) {
      const bool its = std::any_of(
          found_.write->stack.begin(), found_.write->stack.end(),
          [&](const StackFrame& frame) { return is_of_test(frame, lab_.suite().test(test)); });
      if (its) writer = test;
    }
    found_.write->test = lab_.name_of(writer);
  }

  WitnessLab& lab_;
  ProgramMemory& program_;
  const Candidate& candidate_;
  std::chrono::milliseconds patience_;
  std::vector<ByteRange> words_;
  std::optional<Tracer> tracer_;
  FoundSites found_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::optional<Site>> last_write(Tracer& tracer, std::span<const Watch> watches,
                                       const SiteSearch& search) {
  std::vector<FrameAddress> last;
  Owners owners(tracer);
  std::uint64_t writes = 0;
  bool capped = false;
  const auto on_hit = [&](const TraceEvent& event) -> Result<bool> {
    if (capped || !is_write(event.kind)) return true;
    auto addresses = tracer.addresses(event.tid);
    if (!addresses) return true;  // killed just now: its end comes next
    if (owners.is_agents(*addresses)) return true;
    ++writes;
    last = std::move(*addresses);
    capped = writes >= search.max_hits;
    return keep_on(tracer, capped);
  };
  auto end = run(tracer, with_reads(watches, false), search, on_hit);
  if (!end) return end.error();
  if (writes == 0) return std::optional<Site>();
  Site site = site_of(tracer.describe(last), writes);
  site.times_capped = capped || *end == TraceKind::timed_out;
  return std::optional(std::move(site));
}

Result<std::optional<Site>> first_read(Tracer& tracer, std::span<const Watch> watches,
                                       const SiteSearch& search) {
  std::optional<Site> site;
  std::uint64_t hits = 0;
  bool capped = false;
  const auto on_hit = [&](const TraceEvent& event) -> Result<bool> {
    if (capped) return true;
    if (is_read(event.kind)) {
      auto stack = tracer.stack(event.tid);
      if (stack && !is_agents(*stack)) {
        site = site_of(std::move(*stack), 1);
        return false;
      }
    }
    capped = ++hits >= search.max_hits;
    return keep_on(tracer, capped);
  };
  auto end = run(tracer, with_reads(watches, true), search, on_hit);
  if (!end) return end.error();
  return site;
}

Result<FoundSites> find_sites(WitnessLab& lab, ProgramMemory& program, const Candidate& candidate,
                              Moment moment, std::chrono::milliseconds patience) {
  return SiteFinder(lab, program, candidate, patience).find(moment);
}

}  // namespace gordian
