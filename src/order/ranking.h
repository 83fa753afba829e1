// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which test is the best to run next. Plain prioritisation takes the best each time; a schedule
// that keeps to known dependences may take others before it, or set a test aside for a while.
//
// "Additional" rankings are greedy: most units that no test before has covered. When no test is
// left that adds any, all units count as uncovered again, as is usual. They are lazy: what a test
// added when it was last looked at bounds what it adds now, so only those at the top of a heap are
// counted again. With b bits in a word, a count costs units / b steps; see docs/rank.md for how
// that grows.
//
// Ties are broken by a random sequence of the seed, so that one seed always gives one order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "model/coverage.h"
#include "model/test.h"

namespace gordian {

// The five techniques of test prioritisation, by their names in the literature (Elbaum and others;
// DTDetector uses the same five). Pure.

enum class Technique : std::uint8_t {
  random,                 ///< T1
  total_statements,       ///< T3: most statements first
  additional_statements,  ///< T4: most statements not yet covered first
  total_functions,        ///< T5: most functions first
  additional_functions,   ///< T7: most functions not yet covered first
};

inline constexpr std::array kTechniques = {
    Technique::random, Technique::total_statements, Technique::additional_statements,
    Technique::total_functions, Technique::additional_functions};

/// "T1", "T3", "T4", "T5", "T7".
std::string_view name_of(Technique technique);
/// "additional statement coverage".
std::string_view describe(Technique technique);
std::optional<Technique> parse_technique(std::string_view word);

/// What it looks at; null for T1.
const CoverTable* table_of(Technique technique, const Coverage& coverage);
bool needs_coverage(Technique technique);

class Ranking {
 public:
  virtual ~Ranking() = default;

  /// The best of the tests that are neither taken nor set aside; nullopt: none is left.
  virtual std::optional<TestId> best() = 0;
  /// This one runs next, best or not.
  virtual void take(TestId test) = 0;
  virtual void set_aside(TestId test) = 0;
  /// Everything that was set aside is back.
  virtual void bring_back() = 0;
};

/// Takes them as they stand.
std::unique_ptr<Ranking> rank_as_listed(Order tests);

/// Most units first. REQUIRES: `table` has a set for each test.
std::unique_ptr<Ranking> rank_total(const CoverTable& table, const Order& tests,
                                    std::uint64_t seed);

/// Most units not yet covered first. `table` outlives the ranking.
std::unique_ptr<Ranking> rank_additional(const CoverTable& table, const Order& tests,
                                         std::uint64_t seed);

/// `coverage` outlives the ranking. REQUIRES: not null unless technique is T1.
std::unique_ptr<Ranking> rank_by(Technique technique, const Coverage* coverage, const Order& tests,
                                 std::uint64_t seed);

/// The best one each time, until none is left.
Order prioritize(Ranking& ranking);
Order prioritize(Technique technique, const Coverage* coverage, const Order& tests,
                 std::uint64_t seed);

// The growth curve of an order, from what its tests cover. Pure.

GrowthCurve growth_curve(const CoverTable& table, const Order& order);

// Which tests are enough to cover what all of them cover: the heuristic of Harrold, Gupta and Soffa
// (1993). Units that few tests cover are served first: those that only one test covers decide by
// themselves; then, among units that c tests cover, the test that covers most of them is taken.
// Among equals the next larger c decides, and so on; at last the earlier test. Pure.

/// A part of `tests` in the same order, with the same coverage in `table`.
Order reduce_suite(const CoverTable& table, const Order& tests);

}  // namespace gordian
