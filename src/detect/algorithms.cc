// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/algorithms.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/text.h"
#include "detect/detect.h"
#include "detect/order_source.h"

namespace gordian {
namespace {

constexpr std::array<AlgorithmTraits, 10> kAlgorithms = {{
    {.algorithm = Algorithm::automatic,
     .word = "auto",
     .help = "combines the others within --budget (60 s): begin here",
     .course = Course::automatic,
     .price = 10},
    {.algorithm = Algorithm::isolation,
     .word = "isolation",
     .help = "each test alone; finds tests that need or suffer from others by default",
     .price = 1,
     .sample = "1",  // as orders of one test of those by length
     .source = [](const SourceInput& in) { return isolation_source(in.knowledge); }},
    {.algorithm = Algorithm::reversal,
     .word = "reversal",
     .help = "the default order backwards: one run, no guarantee",
     .price = 2,
     .sample = "whole",
     .source = [](const SourceInput& in) { return reversal_source(in.knowledge); }},
    {.algorithm = Algorithm::random,
     .word = "random",
     .help = "--trials shuffled orders; finds long chains with luck",
     .options = "trials seed shuffle",
     .price = 4,
     .sample = "whole",
     .source =
         [](const SourceInput& in) {
           return random_source(in.suite, in.knowledge, in.request.seed, in.request.trials,
                                in.request.shuffling);
         }},
    {.algorithm = Algorithm::exhaustive,
     .word = "exhaustive",
     .help = "every order of up to -k tests; misses nothing that shows in k tests",
     .options = "k",
     .course = Course::by_length,
     .price = 7,
     .source = [](const SourceInput& in) { return exhaustive_source(in.knowledge, in.k); }},
    {.algorithm = Algorithm::aware,
     .word = "aware",
     .help = "the same without orders that cannot differ; finds what exhaustive finds",
     .options = "k trace",
     .course = Course::aware,
     .price = 8,
     // What it leaves out shows while it runs: no more than these.
     .source = [](const SourceInput& in) { return exhaustive_source(in.knowledge, in.k); }},
    {.algorithm = Algorithm::pairs,
     .word = "pairs",
     .help = "every pair side by side in about n orders",
     .price = 5,
     .sample = "whole",
     .source = [](const SourceInput& in) { return pairs_source(in.knowledge); }},
    {.algorithm = Algorithm::screen,
     .word = "screen",
     .help = "each test first, then all others, --rounds times",
     .options = "seed rounds",
     .price = 6,
     .sample = "whole",
     .source =
         [](const SourceInput& in) {
           return screen_source(in.knowledge, in.request.seed, in.request.rounds);
         }},
    {.algorithm = Algorithm::self,
     .word = "self",
     .help = "each test twice",
     .price = 3,
     .sample = "self",
     .source = [](const SourceInput& in) { return self_source(in.knowledge); }},
    {.algorithm = Algorithm::dataflow,
     .word = "dataflow",
     .help = "breaks one data dependence at a time: for suites whose pairs are too many",
     .options = "both-ways trace",
     .course = Course::dataflow,
     .price = 9,
     .sample = "flow"},
}};

using When = AutomaticStep::When;

constexpr AutomaticStep kAutomaticSteps[] = {
    {Algorithm::isolation},
    {Algorithm::reversal},
    {Algorithm::self},
    // Breaking what is known to flow from one test to another runs short orders.
    {Algorithm::dataflow, When::for_slow_tests},
    {Algorithm::random, When::always,
     [](DetectRequest& request, std::size_t tests) {
       request.trials = few_trials(tests);
       request.shuffling = Shuffling::both;
     }},
    // Before screen, which costs as much: in a suite too large for both within the budget, a pair
    // side by side shows what tests that clean up would mask.
    {Algorithm::pairs},
    {Algorithm::exhaustive},
    {Algorithm::dataflow},
    {Algorithm::screen, When::always,
     [](DetectRequest& request, std::size_t) { request.rounds = 3; }},
    {Algorithm::random, When::to_the_end,
     [](DetectRequest& request, std::size_t) {
       request.seed += 1;  // other orders than those at the beginning
       request.trials = 1'000'000'000;
       request.shuffling = Shuffling::both;
     }},
};

}  // namespace

std::span<const AutomaticStep> automatic_steps() {
  return kAutomaticSteps;
}

std::unique_ptr<OrderSource> source_of(const AutomaticStep& step, const SourceInput& input) {
  DetectRequest request = input.request;
  if (step.change != nullptr) step.change(request, input.knowledge.tests().size());
  return traits_of(step.algorithm).source({input.suite, input.knowledge, request, input.k});
}

std::span<const AlgorithmTraits> algorithms() {
  return kAlgorithms;
}

const AlgorithmTraits& traits_of(Algorithm algorithm) {
  auto found = std::find_if(
      kAlgorithms.begin(), kAlgorithms.end(),
      [algorithm](const AlgorithmTraits& traits) { return traits.algorithm == algorithm; });
  GORDIAN_CHECK(found != kAlgorithms.end());
  return *found;
}

std::string_view to_string(Algorithm algorithm) {
  return traits_of(algorithm).word;
}

std::optional<Algorithm> parse_algorithm(std::string_view word) {
  for (const AlgorithmTraits& traits : kAlgorithms) {
    if (traits.word == word) return traits.algorithm;
  }
  return std::nullopt;
}

std::vector<std::string> algorithm_words() {
  std::vector<std::string> words;
  for (const AlgorithmTraits& traits : kAlgorithms) words.emplace_back(traits.word);
  return words;
}

std::vector<std::string> algorithms_with(std::string_view option) {
  std::vector<std::string> words;
  for (const AlgorithmTraits& traits : kAlgorithms) {
    if (has_word(traits.options, option)) words.emplace_back(traits.word);
  }
  return words;
}

}  // namespace gordian
