// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/native/witness_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "state/external/external_state.h"
#include "state/heap_blocks.h"
#include "state/mapping_changes.h"
#include "state/memory_diff.h"
#include "state/memory_reset.h"
#include "state/process_image.h"

namespace gordian {
namespace {

/// Everything that is seen at the moments of one run.
class Observer {
 public:
  Observer(ProgramMemory& program, std::string executable)
      : program_(program), executable_(std::move(executable)) {}

  /// `lasts`: there is another process that stays in this state.
  void baseline(HeldProcess& held, bool lasts) {
    ProcessImage image(held.pid());
    external_before_ = read_external_state(held, image);
    files_before_ = read_written_files(held);
    lasts = lasts && held.before() > 0;
    mappings_before_ = program_mappings(held.pid());
    before_ = std::make_unique<ProcessImage>(lasts ? held.before() : held.pid());
    if (lasts) return;
    before_->keep(writable_ranges(mappings_before_));
    if (held.before() > 0) {
      before_->lean_on(held.before());  // constants, or what points to them has changed
    } else {
      before_->detach();
    }
  }

  void before_last(HeldProcess& held) {
    middle_ = std::make_unique<ProcessImage>(held.pid());
    middle_->keep(writable_ranges(program_mappings(held.pid())));
    middle_->detach();
  }

  void at_end(HeldProcess& held) {
    if (!before_) return;  // the test alone did not come so far
    after_ = std::make_unique<ProcessImage>(held.pid());
    mappings_ = program_mappings(held.pid());
    program_.load(held, executable_);
    add_memory();
    add_external(held);
    seen_ = true;
  }

  bool seen() const { return seen_; }
  StateDiff take() {
    std::stable_sort(diff_.candidates.begin(), diff_.candidates.end(), likelier);
    return std::move(diff_);
  }

 private:
  void add_memory() {
    HeapBlocks heap_before(*before_, mappings_), heap_after(*after_, mappings_);
    RangeSet changed = changed_ranges(*before_, *after_, mappings_);
    MemoryDiff found = state_changes(program_.variables(), {before_.get(), &heap_before},
                                     {after_.get(), &heap_after}, changed, program_.names());
    MemoryMoment was{*before_, [&](std::uint64_t at) { return heap_before.block_of(at); }};
    MemoryMoment is{*after_, [&](std::uint64_t at) { return heap_after.block_of(at); }};
    for (StateChange& change : found.program) {
      auto tier = change.first_use ? Candidate::Tier::first_use : Candidate::Tier::program;
      add_change(std::move(change), tier, was, is);
    }
    diff_.program_changes = diff_.candidates.size();
    for (StateChange& change : found.others) {
      if (is_bookkeeping(change.carrier.key.name())) continue;
      call_flag_by_name(change.carrier);
      add_change(std::move(change), Candidate::Tier::framework, was, is);
    }
    if (found.truncated)
      diff_.notes.push_back("a variable was too large to be compared as a whole");
    add_library_words(changed, was, is);
    add_mappings(changed, {before_.get(), &heap_before}, {after_.get(), &heap_after});
  }

  void add_mappings(const RangeSet& changed, MemoryView before, MemoryView after) {
    const MappingMoment was{mappings_before_, before}, is{mappings_, after};
    MappingOwners owners;
    std::vector<ByteRange> others = mappings_of_others(mappings_);
    for (const auto* ranges : {&program_.names().modules.ranges(), &program_.thread_storage()}) {
      others.insert(others.end(), ranges->begin(), ranges->end());
    }
    owners.others = RangeSet(std::move(others));
    owners.agents = mappings_of_agent(is, program_.agent_module());
    std::vector<ByteRange> named;
    for (const Candidate& candidate : diff_.candidates) {
      named.insert(named.end(), candidate.words.begin(), candidate.words.end());
    }
    owners.named = RangeSet(std::move(named));
    owners.pointer_to = [&](ByteRange range) {
      return pointer_into(range, program_.variables(), *after.memory);
    };
    mapping_changes_ = mapping_changes(was, is, changed, owners);
  }

  void add_change(StateChange change, Candidate::Tier tier, const MemoryMoment& was,
                  const MemoryMoment& is) {
    auto plan = plan_reset(change.old_words, change.words, was, is);
    if (!plan) return;
    Candidate candidate;
    candidate.carrier = std::move(change.carrier);
    candidate.tier = tier;
    candidate.words = std::move(change.words);
    candidate.root = change.root;
    candidate.by_last_test = written_by_last(candidate.words);
    candidate.reset = [plan = std::move(*plan)](HeldProcess& held) { return apply(plan, held); };
    diff_.candidates.push_back(std::move(candidate));
  }

  bool written_by_last(const std::vector<ByteRange>& words) const {
    if (!middle_) return true;
    return std::any_of(words.begin(), words.end(), [&](const ByteRange& range) {
      std::string then(range.size, '\0'), now(range.size, '\0');
      return !middle_->read(range.begin, then.data(), then.size()) ||
             !after_->read(range.begin, now.data(), now.size()) || then != now;
    });
  }

  /// Libraries without debug information: their changed bytes, as far as they stand together.
  void add_library_words(const RangeSet& changed, const MemoryMoment& was, const MemoryMoment& is) {
    constexpr std::uint64_t kGap = 64;
    constexpr std::size_t kMost = 200;
    std::vector<ByteRange> clusters;
    for (const ByteRange& range : changed.ranges()) {
      if (!program_.is_library_data(range.begin)) continue;
      bool near = !clusters.empty() && range.begin - clusters.back().end() <= kGap;
      if (near) {
        clusters.back().size = range.end() - clusters.back().begin;
      } else if (clusters.size() < kMost) {
        clusters.push_back(range);
      }
    }
    for (const ByteRange& cluster : clusters) {
      StateChange change;
      change.carrier.key = {CarrierKind::libc, LibraryKey{LibraryKey::Part::module,
                                                          program_.module_of(cluster.begin)}};
      change.words = change.old_words = {cluster};
      add_change(std::move(change), Candidate::Tier::library, was, is);
    }
  }

  void add_external(HeldProcess& held) {
    ExternalState after = read_external_state(held, *after_);
    auto found = external_changes(external_before_, after, program_.names().function);
    auto files = read_written_files(held);
    if (files && files_before_) {
      auto changes = file_changes(held, *files_before_, *files, external_before_.cwd);
      std::move(changes.begin(), changes.end(), std::back_inserter(found));
    } else {
      diff_.notes.push_back("files were not compared: there is no private file system");
    }
    std::move(mapping_changes_.begin(), mapping_changes_.end(), std::back_inserter(found));
    for (ExternalChange& change : found) {
      Candidate candidate;
      candidate.carrier = std::move(change.carrier);
      candidate.tier = Candidate::Tier::external;
      candidate.reset = std::move(change.reset);
      candidate.events = std::move(change.events);
      candidate.words = std::move(change.words);
      diff_.candidates.push_back(std::move(candidate));
      ++diff_.program_changes;
    }
  }

  ProgramMemory& program_;
  std::string executable_;
  std::unique_ptr<ProcessImage> before_, middle_, after_;
  std::vector<Mapping> mappings_before_, mappings_;
  std::vector<ExternalChange> mapping_changes_;
  ExternalState external_before_;
  std::optional<FileView> files_before_;
  StateDiff diff_;
  bool seen_ = false;
};

bool same_place(const ByteRange& a, const ByteRange& b) {
  return a.size > 0 && a.begin == b.begin && a.size == b.size;
}

}  // namespace

bool covers(const std::vector<Candidate>& whole, const Candidate& candidate) {
  return std::any_of(whole.begin(), whole.end(), [&](const Candidate& mine) {
    if (same_place(mine.root, candidate.root)) return true;
    return mine.root.size == 0 && mine.carrier.key == candidate.carrier.key;
  });
}

Result<StateDiff> state_diff(WitnessLab& lab, ProgramMemory& program, Moment moment) {
  Observer observer(program, lab.executable());
  WitnessLab::Visits visits;
  if (moment == Moment::before_suite) {
    // Other tests have changed the process by then: the one that it was forked from is no baseline.
    const bool lasts = lab.behind().empty();
    visits.at_start = [&, lasts](HeldProcess& held) { observer.baseline(held, lasts); };
  } else {
    auto alone = lab.run_alone([&](HeldProcess& held) { observer.baseline(held, false); }, moment);
    if (!alone) return alone.error();
  }
  visits.before_last = [&](HeldProcess& held) { observer.before_last(held); };
  visits.at_end = [&](HeldProcess& held) { observer.at_end(held); };
  auto outcome = lab.run(visits, moment);
  if (!outcome) return outcome.error();
  if (!observer.seen()) {
    return target_error("the witness did not come to its last test again");
  }
  if (!same_result(*outcome, lab.dependence().witnessed)) {
    return target_error("held before its last test, the witness does not show it again");
  }
  return observer.take();
}

}  // namespace gordian
