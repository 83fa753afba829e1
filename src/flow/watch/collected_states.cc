// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/collected_states.h"

#include <algorithm>
#include <array>

#include "symbols/code_map.h"

namespace gordian {
namespace {

constexpr std::size_t kLongText = 2000;  // may have been cut: cannot be compared

/// Of all leaves of a variable: one that is missing has the value that it had.
bool same_values(const std::map<StateKey, NetChange>& a, const std::map<StateKey, NetChange>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.value == y.second.value &&
           x.second.value.size() < kLongText;
  });
}

}  // namespace

std::size_t CollectedStates::state_of(const NetChange& change) {
  auto [known, fresh] = known_.try_emplace(change.what.key, states_.size());
  if (fresh) {
    states_.push_back({change.what, change.library, false, change.events, !change.words.empty()});
  }
  states_[known->second].partial |= change.partial;
  return known->second;
}

void CollectedStates::add_words(std::size_t state, bool settles,
                                const std::vector<ByteRange>& ranges, std::size_t from) {
  for (const ByteRange& range : ranges) {
    for (const Watch& watch : watches_for(range)) {
      words_.push_back({watch, {state}, from, positions_, settles, false});
    }
  }
}

void CollectedStates::add_in_order(std::size_t position, const NetChange& change) {
  const std::size_t state = state_of(change);
  writes_[position].push_back(state);
  // An object on the heap may have moved: its place before is nobody's now.
  auto newest = heap_words_of_.find(state);
  if (change.on_heap && newest != heap_words_of_.end()) {
    for (std::size_t i = newest->second; i < words_.size(); ++i) {
      if (words_[i].states.front() == state) words_[i].to = std::min(words_[i].to, position + 1);
    }
  }
  if (change.on_heap) heap_words_of_[state] = words_.size();
  // Where it was written is looked for too: from this test on, and who has read it before. On the
  // heap something else may have been there. Whoever writes into a word first has hardly an
  // interest in the rest of it.
  add_words(state, true, change.words, change.on_heap ? position : 0);
}

std::size_t CollectedStates::add_alone(std::size_t position, const NetChange& change) {
  const std::size_t state = state_of(change);
  writes_[position].push_back(state);
  add_words(state, change.scalar, change.old_words, 0);
  return state;
}

bool CollectedStates::writes(std::size_t position, std::size_t state) const {
  const auto& all = writes_[position];
  return std::find(all.begin(), all.end(), state) != all.end();
}

std::vector<WordWatch> CollectedStates::words() const {
  std::vector<WordWatch> result = words_;
  std::stable_partition(result.begin(), result.end(), [&](const WordWatch& word) {
    return !states_[word.states.front()].library;
  });
  return result;
}

std::vector<CallWatch> CollectedStates::calls() const {
  std::vector<CallWatch> result;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const CollectedState& state = states_[i];
    if (state.in_memory) continue;
    result.push_back({i, state.what.key.kind(), state.events, 0, positions_});
  }
  return result;
}

void FirstUses::add(std::size_t position, const NetChange& change) {
  uses_[change.root][position].insert_or_assign(change.what.key, change);
}

std::vector<FirstUses::Disputed> FirstUses::disputed() const {
  std::vector<Disputed> result;
  for (const auto& [root, by_position] : uses_) {
    const Values& first = by_position.begin()->second;
    const bool agree = std::all_of(by_position.begin(), by_position.end(),
                                   [&](const auto& use) { return same_values(first, use.second); });
    if (agree) continue;
    Disputed disputed;
    for (const auto& [position, values] : by_position) {
      disputed.users.push_back(position);
      for (const auto& [name, change] : values) disputed.writes.emplace_back(position, change);
    }
    result.push_back(std::move(disputed));
  }
  return result;
}

bool sets_up_suites(std::string_view mangled) {
  // As members are mangled: their length, their name, the end of the nested name, no argument.
  static constexpr std::array<std::string_view, 4> kNames = {
      "14SetUpTestSuiteEv", "17TearDownTestSuiteEv", "13SetUpTestCaseEv", "16TearDownTestCaseEv"};
  constexpr std::string_view kFrameworks = "_ZN7testing4Test";
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) {
    const bool of_the_framework =
        mangled.starts_with(kFrameworks) && mangled.size() == kFrameworks.size() + name.size();
    return mangled.ends_with(name) && !of_the_framework;
  });
}

bool has_suite_fixtures(const std::vector<std::string>& modules) {
  return std::any_of(modules.begin(), modules.end(), [](const std::string& path) {
    auto code = CodeMap::read(path);
    if (!code) return true;
    return std::any_of(
        code->symbols().begin(), code->symbols().end(), [](const CodeSymbol& symbol) {
          return sets_up_suites(symbol.name) ||
                 std::any_of(symbol.aliases.begin(), symbol.aliases.end(), sets_up_suites);
        });
  });
}

}  // namespace gordian
