// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/ranking.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gordian {
namespace {

/// Units that the same tests cover are one requirement, which counts as often.
struct Requirement {
  CoverSet tests;  ///< by place in the list of tests
  std::size_t cardinality = 0;
  std::size_t units = 0;
  bool met = false;
};

/// 64 units at a time: for each test one word, turned into one set of tests for each unit.
std::vector<CoverSet> by_unit(const CoverTable& table, const Order& tests) {
  std::vector<CoverSet> sets(table.units.size(), CoverSet(tests.size()));
  for (std::size_t place = 0; place < tests.size(); ++place) {
    auto words = table.tests[tests[place].value()].words();
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
        sets[w * 64 + static_cast<std::size_t>(std::countr_zero(left))].add(place);
      }
    }
  }
  return sets;
}

std::size_t hash_of(const CoverSet& set) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::uint64_t word : set.words()) hash = (hash ^ word) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
  return hash;
}

std::vector<Requirement> requirements_of(const CoverTable& table, const Order& tests) {
  std::vector<Requirement> list;
  std::unordered_multimap<std::size_t, std::size_t> known;
  for (CoverSet& set : by_unit(table, tests)) {
    const std::size_t cardinality = set.count(), hash = hash_of(set);
    if (cardinality == 0) continue;  // covered by none of them
    auto [first, last] = known.equal_range(hash);
    auto same = std::find_if(first, last, [&](auto& e) { return list[e.second].tests == set; });
    if (same != last) {
      ++list[same->second].units;
      continue;
    }
    known.emplace(hash, list.size());
    list.push_back({std::move(set), cardinality, 1, false});
  }
  return list;
}

class Reduction {
 public:
  Reduction(const CoverTable& table, const Order& tests)
      : tests_(tests),
        requirements_(requirements_of(table, tests)),
        of_test_(tests.size()),
        unmet_(tests.size()),
        kept_(tests.size()) {
    for (std::size_t r = 0; r < requirements_.size(); ++r) {
      const Requirement& requirement = requirements_[r];
      by_cardinality_[requirement.cardinality].push_back(r);
      for_each_test(requirement, [&](std::size_t test) {
        of_test_[test].push_back(r);
        unmet_[test][requirement.cardinality] += requirement.units;
      });
    }
  }

  Order run() {
    for (auto& [cardinality, list] : by_cardinality_) serve(cardinality, list);
    Order kept;
    for (std::size_t place = 0; place < tests_.size(); ++place) {
      if (kept_[place]) kept.push_back(tests_[place]);
    }
    return kept;
  }

 private:
  template <class Use>
  static void for_each_test(const Requirement& requirement, Use use) {
    auto words = requirement.tests.words();
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
        use(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
      }
    }
  }

  /// Meets all requirements of this cardinality.
  void serve(std::size_t cardinality, const std::vector<std::size_t>& list) {
    std::vector<std::size_t> candidates;
    for (std::size_t r : list) {
      for_each_test(requirements_[r], [&](std::size_t test) { candidates.push_back(test); });
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    for (;;) {
      std::erase_if(candidates, [&](std::size_t test) { return unmet(test, cardinality) == 0; });
      if (candidates.empty()) return;
      keep(best_of(candidates, cardinality));
    }
  }

  std::size_t unmet(std::size_t test, std::size_t cardinality) const {
    auto found = unmet_[test].find(cardinality);
    return found == unmet_[test].end() ? 0 : found->second;
  }

  /// Those with the most unmet units of this cardinality; among them of the next one, and so on.
  std::size_t best_of(std::vector<std::size_t> tied, std::size_t cardinality) const {
    for (auto at = by_cardinality_.find(cardinality); at != by_cardinality_.end(); ++at) {
      std::size_t most = 0;
      for (std::size_t test : tied) most = std::max(most, unmet(test, at->first));
      std::erase_if(tied, [&](std::size_t test) { return unmet(test, at->first) < most; });
      if (tied.size() == 1) break;
    }
    return tied.front();
  }

  void keep(std::size_t test) {
    kept_[test] = true;
    for (std::size_t r : of_test_[test]) {
      Requirement& requirement = requirements_[r];
      if (std::exchange(requirement.met, true)) continue;
      for_each_test(requirement, [&](std::size_t other) {
        auto left = unmet_[other].find(requirement.cardinality);
        left->second -= requirement.units;
        if (left->second == 0) unmet_[other].erase(left);
      });
    }
  }

  const Order& tests_;
  std::vector<Requirement> requirements_;
  std::map<std::size_t, std::vector<std::size_t>> by_cardinality_;
  std::vector<std::vector<std::size_t>> of_test_;          ///< requirements
  std::vector<std::map<std::size_t, std::size_t>> unmet_;  ///< by test, then cardinality: units
  std::vector<bool> kept_;
};

}  // namespace

Order reduce_suite(const CoverTable& table, const Order& tests) {
  return Reduction(table, tests).run();
}

}  // namespace gordian
