// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/watch_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace gordian {
namespace {

/// One pass being filled: how many words each test has.
class Pass {
 public:
  explicit Pass(std::size_t positions) : used_(positions, 0) {}

  bool has_room(const WordWatch& word) const {
    return std::all_of(used_.begin() + static_cast<std::ptrdiff_t>(word.from),
                       used_.begin() + static_cast<std::ptrdiff_t>(word.to),
                       [](std::size_t used) { return used < kMaxWatches; });
  }
  void add(WordWatch word) {
    for (std::size_t i = word.from; i < word.to; ++i) ++used_[i];
    words_.push_back(std::move(word));
  }
  std::vector<WordWatch> take() { return std::move(words_); }

 private:
  std::vector<std::size_t> used_;
  std::vector<WordWatch> words_;
};

/// Words that are the same become one for the longer time; the place of the first stays.
std::vector<WordWatch> merged(std::span<const WordWatch> words) {
  std::vector<WordWatch> result;
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::vector<std::size_t>> known;
  for (const WordWatch& word : words) {
    if (word.from >= word.to) continue;
    auto& same = known[{word.watch.address, word.watch.size}];
    auto twin = std::find_if(same.begin(), same.end(), [&](std::size_t i) {
      return result[i].from < word.to && word.from < result[i].to &&
             (result[i].states == word.states ||
              (result[i].from == word.from && result[i].to == word.to));
    });
    if (twin == same.end()) {
      same.push_back(result.size());
      result.push_back(word);
      continue;
    }
    WordWatch& one = result[*twin];
    one.from = std::min(one.from, word.from);
    one.to = std::max(one.to, word.to);
    one.settles = one.settles && word.settles;
    one.watch.reads |= word.watch.reads;
    for (std::size_t state : word.states) {
      if (std::find(one.states.begin(), one.states.end(), state) == one.states.end()) {
        one.states.push_back(state);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<Watch> watches_for(ByteRange range) {
  std::vector<Watch> watches;
  for (std::uint64_t at = range.begin; at < range.end();) {
    std::uint8_t size = 8;
    while (at % size != 0 || at + size > range.end()) size /= 2;
    watches.push_back({at, size, true});
    at += size;
  }
  return watches;
}

WatchPlan plan_watches(std::span<const WordWatch> words, std::size_t positions,
                       std::size_t most_passes) {
  std::vector<Pass> passes;
  std::set<std::size_t> left_out;
  for (WordWatch& word : merged(words)) {
    auto room = std::find_if(passes.begin(), passes.end(),
                             [&](const Pass& pass) { return pass.has_room(word); });
    if (room == passes.end()) {
      if (passes.size() == most_passes) {
        left_out.insert(word.states.begin(), word.states.end());
        continue;
      }
      room = passes.emplace(passes.end(), positions);
    }
    room->add(std::move(word));
  }
  WatchPlan plan;
  for (Pass& pass : passes) plan.passes.push_back(pass.take());
  plan.left_out.assign(left_out.begin(), left_out.end());
  return plan;
}

}  // namespace gordian
