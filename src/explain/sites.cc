// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/sites.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "model/stack.h"

namespace gordian {
namespace {

bool is_memory(TraceKind kind) {
  return kind == TraceKind::write || kind == TraceKind::read || kind == TraceKind::read_write;
}
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
    if (is_memory(event->kind)) {
      Result<bool> more = on_hit(*event);
      if (!more) return more.error();
      if (!*more) return std::optional<TraceKind>();
    } else if (event->kind == TraceKind::exited || event->kind == TraceKind::timed_out ||
               event->kind == TraceKind::stopped) {
      return std::optional(event->kind);
    }
  }
}

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
    if (!capped) return true;
    if (Status unset = tracer.watch_memory({}); !unset) return unset.error();
    return true;
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
    if (!capped) return true;
    if (Status unset = tracer.watch_memory({}); !unset) return unset.error();
    return true;
  };
  auto end = run(tracer, with_reads(watches, true), search, on_hit);
  if (!end) return end.error();
  return site;
}

Result<HitCount> count_hits(Tracer& tracer, std::span<const Watch> watches,
                            const SiteSearch& search) {
  HitCount count;
  const auto on_hit = [&](const TraceEvent&) -> Result<bool> {
    if (count.capped) return true;
    count.capped = ++count.hits >= search.max_hits;
    if (!count.capped) return true;
    if (Status unset = tracer.watch_memory({}); !unset) return unset.error();
    return true;
  };
  auto end = run(tracer, watches, search, on_hit);
  if (!end) return end.error();
  count.capped |= *end == TraceKind::timed_out;
  count.ended = *end == TraceKind::exited;
  return count;
}

Result<std::optional<Site>> stack_at_hit(Tracer& tracer, std::span<const Watch> watches,
                                         const SiteSearch& search, std::uint64_t number) {
  std::optional<Site> site;
  std::uint64_t hits = 0;
  const auto on_hit = [&](const TraceEvent& event) -> Result<bool> {
    if (++hits < number) return true;
    auto stack = tracer.stack(event.tid);
    if (stack) site = site_of(std::move(*stack), hits);
    return false;
  };
  auto end = run(tracer, watches, search, on_hit);
  if (!end) return end.error();
  return site;
}

}  // namespace gordian
