// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/net_effect.h"

#include <fmt/format.h>
#include <sys/syscall.h>

#include <algorithm>
#include <iterator>

#include "state/memory_diff.h"
#include "state/type_shape.h"

namespace gordian {

StateMoment StateMoment::read(HeldProcess& held, bool files) {
  auto image = std::make_unique<ProcessImage>(held.pid());
  StateMoment moment = read(held, files, *image);
  // The requests just made have moved the stack of the agent, not what tests see.
  image->forget();
  moment.own_ = std::move(image);
  return moment;
}

StateMoment StateMoment::read(HeldProcess& held, bool files, const MemoryImage& memory) {
  StateMoment moment;
  moment.memory_ = &memory;
  moment.mappings = program_mappings(held.pid());
  moment.external = read_external_state(held, ProcessImage(held.pid()));
  if (files) moment.files = read_written_files(held);
  return moment;
}

void StateMoment::keep(HeldProcess& held) {
  own_->keep(writable_ranges(mappings));
  if (held.before() > 0) {
    own_->lean_on(held.before());
  } else {
    own_->detach();
  }
}

const HeapBlocks& StateMoment::heap() const {
  if (!heap_) heap_.emplace(*memory_, mappings);
  return *heap_;
}

namespace {

constexpr std::uint64_t kWord = 8;
/// Where the C library notes the end of the heap, which is a state by itself: see address_space.cc.
constexpr std::string_view kHeapEnd = "__curbrk";

/// Values are compared with those that other tests give the same static: they must not be cut soon.
CompareLimits limits() {
  CompareLimits result;
  result.text.length = 2000;
  return result;
}

/// Cuts at the borders of words, so that each piece can be watched.
std::vector<std::pair<ByteRange, ByteRange>> pieces_of(ByteRange now, ByteRange old) {
  std::vector<std::pair<ByteRange, ByteRange>> pieces;
  for (std::uint64_t done = 0; done < now.size;) {
    const std::uint64_t part = std::min(
        kWord - std::max((now.begin + done) % kWord, (old.begin + done) % kWord), now.size - done);
    pieces.push_back({{now.begin + done, part}, {old.begin + done, part}});
    done += part;
  }
  return pieces;
}

bool covers(const std::vector<ByteRange>& words, ByteRange piece) {
  return std::any_of(words.begin(), words.end(), [&](const ByteRange& word) {
    return piece.begin >= word.begin && piece.end() <= word.end();
  });
}

void add_pieces(ByteRange now, ByteRange old, std::size_t most, NetChange& to) {
  for (const auto& [piece, old_piece] : pieces_of(now, old)) {
    if (covers(to.words, piece) && covers(to.old_words, old_piece)) continue;
    if (to.words.size() == most) {
      to.partial = true;
      return;
    }
    to.words.push_back(piece);
    to.old_words.push_back(old_piece);
  }
}

NetChange memory_change(StateChange change) {
  NetChange result;
  const Carrier& carrier = change.carrier;
  result.what = {carrier.key, carrier.type, carrier.file, carrier.line};
  result.first_use = change.first_use;
  result.root = change.root.begin;
  result.on_heap = carrier.key.kind() == CarrierKind::heap;
  result.value = carrier.new_value.value_or("");
  choose_words(change, EffectReader::kMostWords, result);
  return result;
}

NetChange external_change(ExternalChange change) {
  NetChange result;
  const Carrier& carrier = change.carrier;
  result.what = {carrier.key, carrier.type, carrier.file, carrier.line};
  result.value = carrier.new_value.value_or("");
  result.events = std::move(change.events);
  return result;
}

/// Signals that the C library keeps for its threads: it lets no program see or use them.
bool is_of_threads(const Carrier& carrier) {
  const auto* signal = carrier.key.as<SignalKey>();
  return signal != nullptr && signal->part == SignalKey::Part::action &&
         (signal->number == 32 || signal->number == 33);
}

StateEvents mapping_events(MappingChange::What what) {
  StateEvents events;
  if (what == MappingChange::What::heap_end) {
    events.reading_calls = {SYS_brk};
    events.readers = {"sbrk"};  // which may know the answer without asking
  }
  if (what == MappingChange::What::added) {
    events.reading_calls = {SYS_mmap, SYS_mremap, SYS_mincore, SYS_msync, SYS_madvise};
  }
  if (what == MappingChange::What::loaded) events.readers = {"dlopen", "dl_iterate_phdr", "dlsym"};
  return events;
}

/// What was kept of the state before. Where rights changed, that is a change of its own.
std::vector<Mapping> writable_in_both(const std::vector<Mapping>& before,
                                      const std::vector<Mapping>& after) {
  const RangeSet was(writable_ranges(before));
  std::vector<Mapping> result;
  for (const Mapping& mapping : after) {
    if (mapping.writable && was.touches(range_of(mapping))) result.push_back(mapping);
  }
  return result;
}

}  // namespace

void choose_words(const StateChange& change, std::size_t most, NetChange& to) {
  to.scalar = change.object.size <= kWord;
  for (std::size_t i = 0; i < change.words.size(); ++i) {
    add_pieces(change.words[i], change.old_words[i], most, to);
  }
  // A large array is no container: what changed of it is all that its readers can notice.
  if (change.bare && change.object.size > kWord) return;
  if (change.object.size <= most * kWord) {
    add_pieces(change.object, change.old_object, most, to);
  } else {
    to.partial = true;
  }
}

NetEffect EffectReader::compare(const HeldProcess& held, const StateMoment& before,
                                const StateMoment& after) {
  const RangeSet changed = changed_ranges(before.memory(), after.memory(),
                                          writable_in_both(before.mappings, after.mappings));
  return compare(held, before, after, changed, true);
}

NetEffect EffectReader::compare_on(const HeldProcess& held, const StateMoment& before,
                                   const StateMoment& after, const RangeSet& changed) {
  const bool same_mappings = before.mappings == after.mappings;
  const bool quiet = reached_ && same_mappings && !reached_->touches_any(changed);
  NetEffect effect = compare(held, before, after, changed, !quiet);
  if (!quiet) reach(after);
  return effect;
}

/// What the walk of two moments has read will not do: it ends where it finds a difference.
void EffectReader::reach(const StateMoment& moment) {
  if (variables_.empty()) {
    for (const LiveVariable& live : program_.variables()) {
      if (!is_bookkeeping(common_name(live.variable.name))) variables_.push_back(live);
    }
  }
  reached_ = reached_bytes(variables_, moment.view(), program_.names(), limits());
}

NetEffect EffectReader::compare(const HeldProcess& held, const StateMoment& before,
                                const StateMoment& after, const RangeSet& changed, bool walk) {
  NetEffect effect;
  if (walk) add_memory(before, after, changed, effect);
  add_library(changed, before, effect);
  add_external(held, before, after, effect);
  if (after.external.threads > before.external.threads) {
    effect.unsure = "it left a thread running";
  } else if (after.external.children > before.external.children) {
    effect.unsure = "it left a child process";
  }
  return effect;
}

void EffectReader::add_memory(const StateMoment& before, const StateMoment& after,
                              const RangeSet& changed, NetEffect& to) {
  MemoryDiff found = state_changes(program_.variables(), before.view(), after.view(), changed,
                                   program_.names(), limits());
  for (StateChange& change : found.program) to.changes.push_back(memory_change(std::move(change)));
  for (StateChange& change : found.others) {
    if (is_bookkeeping(change.carrier.key.name())) continue;
    call_flag_by_name(change.carrier);
    to.changes.push_back(memory_change(std::move(change)));
  }
  if (found.truncated) to.unsure = "a variable was too large to be compared as a whole";
}

/// Changed bytes of libraries as far as they stand together.
void EffectReader::add_library(const RangeSet& changed, const StateMoment& before, NetEffect& to) {
  constexpr std::uint64_t kGap = 64;
  if (!std::exchange(allocator_looked_for_, true)) {
    allocator_ = allocator_state(before.memory(), before.mappings);
  }
  std::uint64_t last_end = 0;
  for (const ByteRange& range : changed.ranges()) {
    if (!program_.is_library_data(range.begin)) continue;
    const bool allocators =
        allocator_ && range.begin >= allocator_->begin && range.end() <= allocator_->end();
    if (allocators || program_.library_place(range.begin) == kHeapEnd) continue;
    if (last_end == 0 || range.begin - last_end > kGap) {
      NetChange change;
      change.what.key = {CarrierKind::libc, library_key(program_.library_place(range.begin))};
      change.library = true;
      to.changes.push_back(std::move(change));
    }
    add_pieces(range, range, kMostWords, to.changes.back());
    last_end = range.end();
  }
}

void EffectReader::add_external(const HeldProcess& held, const StateMoment& before,
                                const StateMoment& after, NetEffect& to) {
  auto found = external_changes(before.external, after.external, program_.names().function);
  if (before.files && after.files) {
    auto files = file_changes(held, *before.files, *after.files, before.external.cwd);
    std::move(files.begin(), files.end(), std::back_inserter(found));
  }
  for (ExternalChange& change : found) {
    if (!is_of_threads(change.carrier)) to.changes.push_back(external_change(std::move(change)));
  }
  if (before.mappings == after.mappings) return;
  for (const MappingChange& change : address_space_changes(before.mappings, after.mappings)) {
    NetChange mapping;
    mapping.what.key = {CarrierKind::mapping, NameKey{change.name}};
    mapping.events = mapping_events(change.what);
    to.changes.push_back(std::move(mapping));
  }
}

}  // namespace gordian
