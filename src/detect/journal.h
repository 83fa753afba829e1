// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What one search leaves for the next: how it is kept, and what a search is given of it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "detect/knowledge.h"
#include "model/search_record.h"
#include "runtime/session.h"
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
  bool active() const { return state_.has_value(); }

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

}  // namespace gordian
