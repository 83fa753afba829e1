// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The algorithms of `gordian detect`, a row of one table each. Searches, estimates, the option
// --algorithm with its help and completion, and `gordian help algorithms` are made of it. To add
// one that is no more than a source of orders: the source (detect/order_source.h), an enumerator
// here, a phase (model/search_phase.h), a row in algorithms.cc. docs/detect.md is checked against
// the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/test.h"

namespace gordian {

class Knowledge;
class OrderSource;
struct DetectRequest;

enum class Algorithm {
  automatic,
  isolation,
  reversal,
  random,
  exhaustive,
  aware,
  pairs,
  screen,
  self,
  dataflow,
};

/// How a search goes through it.
enum class Course {
  one_source,  ///< the orders of its source
  by_length,   ///< of its sources for one test, for two, ... for k of them
  aware,       ///< the same, without what is known to be needless
  dataflow,    ///< which orders come next follows from what the last ones showed
  automatic,   ///< others, as the budget allows
};

/// What a source is made of.
struct SourceInput {
  const Suite& suite;
  const Knowledge& knowledge;
  const DetectRequest& request;
  int k = 0;  ///< of those by_length
};

struct AlgorithmTraits {
  Algorithm algorithm;
  std::string_view word;  ///< on the command line, in the database, in JSON
  std::string_view help;  ///< one line of `gordian help algorithms`
  /// Options of `detect` that mean something to it, separated by blanks: "trials seed shuffle".
  std::string_view options = {};
  Course course = Course::one_source;
  /// About how dear it is: a list of estimates begins with the cheapest.
  int price = 0;
  /// Estimates: algorithms with the same word share a sample, because their orders take the same
  /// time per test. Of those by_length the length is added.
  std::string_view sample = {};
  /// Null: it has no one source.
  std::unique_ptr<OrderSource> (*source)(const SourceInput& input) = nullptr;
};

/// A step of `auto`. Those before `exhaustive` are for every suite, those after it for one that is
/// too large for every pair by itself. Searches run the steps, estimates add up what they cost.
struct AutomaticStep {
  enum class When {
    always,
    for_slow_tests,  ///< where some orders of all tests do not fit into the time
    to_the_end,      ///< takes the rest of the budget; left out without one
  };
  Algorithm algorithm;
  When when = When::always;
  /// What it takes in place of what the user wants of this algorithm by itself; null: nothing.
  void (*change)(DetectRequest& request, std::size_t tests) = nullptr;
};
std::span<const AutomaticStep> automatic_steps();
/// Of those whose algorithm has one.
std::unique_ptr<OrderSource> source_of(const AutomaticStep& step, const SourceInput& input);

/// Random orders of `auto` at its beginning: a fifth of what pairs costs. What many tests clean up
/// shows in a shuffled order now and then, at any time; in the rows of pairs it shows in few, which
/// may come late.
constexpr std::uint64_t few_trials(std::size_t tests) {
  return tests < 50 ? 10 : tests / 5;
}

/// In the order of help.
std::span<const AlgorithmTraits> algorithms();
const AlgorithmTraits& traits_of(Algorithm algorithm);

/// "auto", "isolation", ...
std::string_view to_string(Algorithm algorithm);
std::optional<Algorithm> parse_algorithm(std::string_view word);
std::vector<std::string> algorithm_words();
/// Those to which the option means something: {"random", "screen"}.
std::vector<std::string> algorithms_with(std::string_view option);

}  // namespace gordian
