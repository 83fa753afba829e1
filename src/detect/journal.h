// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What one search leaves for the next: how it is kept, and what a search is given of it. Likewise
// what is known of data flow.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "detect/knowledge.h"
#include "model/data_flow.h"
#include "model/search_record.h"
#include "runtime/powers.h"
#include "runtime/session.h"
#include "store/flow_store.h"
#include "store/search_store.h"

namespace gordian {

/// What a search is given to continue an earlier one: where states are kept, what this search is
/// about, and what was left behind. detect() fills it in, Search::take_over() decides.
struct Memory {
  SearchStore* store = nullptr;  ///< null: nothing is read or kept
  SearchSettings settings;
  SearchedBuild build;
  std::function<CodeHashes()> hash_code;  ///< takes a while: asked for only when needed
  std::optional<StoredSearch> earlier;
};

/// Keeps the state of a search in the database while it goes on, so that the next one continues
/// where this one was ended, by whatever. A journal that was not begun keeps nothing. Trouble with
/// the database does not end the search; it is told once, by trouble().
class Journal {
 public:
  /// From here on in a new state that begins as `record`.
  void begin(SearchStore& store, const SearchSettings& settings, const SearchRecord& record);
  /// From here on in the state that holds `record`, each phase where it was left.
  void go_on(SearchStore& store, SearchStateId state, const SearchRecord& record);
  /// How far an earlier search came with this phase; nullptr: it did not begin it.
  const PhaseRecord* left_at(const PhaseKey& phase) const;
  /// Phases are continued from these marks, though the state is new.
  void set_left_at(std::map<PhaseKey, PhaseRecord> phases) { left_at_ = std::move(phases); }
  const std::map<PhaseKey, PhaseRecord>& all_left_at() const { return left_at_; }

  /// All orders up to the mark were run, and what they showed was judged.
  void reached(const PhaseKey& phase, std::string mark, bool finished);
  /// These phases are gone through anew, by the next search or by this one.
  void take_back(const std::function<bool(const PhaseKey& phase)>& which);
  void set_seed(std::uint64_t seed) { seed_ = seed; }
  void set_order_cost(std::chrono::nanoseconds cost) { order_cost_ = cost; }

  /// Writes what is new: now, or if the last time was a while ago.
  void store_now(Knowledge& knowledge, const DetectFacts& facts);
  void store_if_due(Knowledge& knowledge, const DetectFacts& facts);

  /// How long it took the last time.
  std::chrono::nanoseconds store_cost() const { return store_cost_; }

  /// Why nothing is stored any more; empty when all is well. Told once.
  std::string take_trouble() { return std::exchange(trouble_, {}); }

 private:
  void give_up(std::string why);

  SearchStore* store_ = nullptr;
  std::optional<SearchStateId> state_;
  std::map<PhaseKey, PhaseRecord> left_at_, news_;
  std::set<PhaseKey> known_;  ///< phases that the state has a mark of
  std::uint64_t seed_ = 0;
  std::chrono::nanoseconds order_cost_{0}, store_cost_{0};
  std::chrono::steady_clock::time_point stored_{};
  std::string trouble_;
};

/// What is known of one test, as it is stored. Its code hash is left empty.
TestRecord record_of(const Knowledge& knowledge, const Suite& suite, TestId test);

// What is kept of data flow from one command to the next: collections, and how far a refinement of
// their data dependences has come.

using OpenCollector = std::function<Result<std::unique_ptr<FlowCollector>>()>;

/// What is being collected, and where it is kept.
struct FlowMemory {
  FlowStore* store = nullptr;  ///< null: nowhere
  Target target;
  SearchedBuild build;
  Suite suite;
  FlowSource source = FlowSource::watch;
  bool again = false;  ///< collect, whatever is stored
  /// What is collected, for the next command; else one asks for the cost: what is stored is free.
  bool keep = true;

  FlowKey key(const Order& order, bool alone) const { return {target, source, alone, order}; }
};

/// Looks into the database first, and keeps there what it had to collect: the next command finds
/// it, as long as it is the same build. `open` is called only when there is something to collect.
/// Trouble with the database is no reason not to collect.
std::unique_ptr<FlowCollector> remembering_collector(FlowMemory memory, OpenCollector open);

/// The last flow of the default order of these tests, with what is known of it.
Result<std::optional<StoredFlow>> remembered(const FlowMemory& memory, const Order& order);

/// For the next command: what was found out about a flow that was collected through such a
/// collector.
Status remember(const FlowMemory& memory, const FlowFacts& facts);

/// How far a refinement of data dependences has come, as one line for the journal. Kept are the
/// dependences that are not manifest: those are the many. Manifest ones are broken again by whoever
/// continues, as every known dependence is. Pure.
struct RefiningMark {
  std::uint64_t flow = 0;  ///< digest of the data dependences: with others it says nothing
  std::uint64_t schedules = 0, tests_run = 0;  ///< that it took so far
  std::uint64_t other_writers = 0;             ///< of their list, so many were tried
  std::vector<bool> harmless;                  ///< by dependence: not manifest

  /// Of what is known so far.
  static RefiningMark of(const FlowFacts& facts, std::uint64_t other_writers);
  /// nullopt: it is none, or one of other dependences than these.
  static std::optional<RefiningMark> parse(std::string_view text, const FlowFacts& facts);
  std::string text() const;
};

}  // namespace gordian
