// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every row of the table of algorithms, also one that is new: a search, an estimate and a page.
#include "detect/algorithms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "detect/detect.h"
#include "detect/sampler.h"
#include "report/text.h"
#include "tests/detect/model_search.h"
#include "tests/detect/samples.h"

namespace gordian::detect_test {
namespace {

std::vector<ModelTest> three_tests() {
  return {ModelTest("W").sets(0, 1), ModelTest("R").expects_below(0, 5), ModelTest("C")};
}

TEST(Algorithms, HaveAWordAndHelp) {
  std::set<std::string_view> words;
  for (const AlgorithmTraits& traits : algorithms()) {
    EXPECT_TRUE(words.insert(traits.word).second) << traits.word << " twice";
    EXPECT_EQ(parse_algorithm(traits.word), traits.algorithm);
    EXPECT_EQ(to_string(traits.algorithm), traits.word);
    EXPECT_FALSE(traits.help.empty()) << traits.word;
  }
}

TEST(Algorithms, HaveASourceWhereTheirCourseAsksForOne) {
  const Suite suite = numbered_suite(4);
  const Knowledge knowledge = knowledge_of(suite);
  const DetectRequest request;
  for (const AlgorithmTraits& traits : algorithms()) {
    const bool needed = traits.course == Course::one_source || traits.course == Course::by_length ||
                        traits.course == Course::aware;
    ASSERT_EQ(traits.source != nullptr, needed) << traits.word;
    if (!needed) continue;
    auto source = traits.source({suite, knowledge, request, 2});
    EXPECT_TRUE(source->next().has_value()) << traits.word;
    EXPECT_EQ(source->next().has_value(), source->total() > 1) << traits.word;
    if (traits.course == Course::aware) continue;  // that it leaves out is no source's business
    EXPECT_EQ(to_string(source->key().kind), traits.word);
  }
}

TEST(Algorithms, RunThePhaseThatHasTheirName) {
  for (const AlgorithmTraits& traits : algorithms()) {
    if (traits.course == Course::automatic) continue;  // it runs those of the others
    ModelRunner runner(three_tests());
    const DetectFacts facts = search_flow(runner, traits.algorithm);
    const bool ran =
        std::any_of(facts.search.phases.begin(), facts.search.phases.end(),
                    [&](const SearchPhase& phase) { return to_string(phase.kind) == traits.word; });
    EXPECT_TRUE(ran) << traits.word;
  }
}

TEST(Algorithms, AreEstimatedTheCheapestFirst) {
  ModelRunner runner(three_tests());
  DetectRequest request;
  request.collector = collector_of(runner);
  Deadline deadline;
  SearchListener silent;
  EstimateFacts facts;
  const auto asked = all_searches(std::chrono::seconds(60), std::chrono::seconds(0));
  ASSERT_TRUE(estimate_with(runner, deadline, runner.suite().default_order(), request, asked,
                            silent, facts));
  ASSERT_EQ(facts.searches.size(), asked.size());
  std::set<std::string> estimated;
  int price = 0;
  for (const SearchEstimate& search : facts.searches) {
    EXPECT_GE(search.phases.size(), 2U) << search.algorithm;
    const auto algorithm = parse_algorithm(search.algorithm);
    ASSERT_TRUE(algorithm) << search.algorithm;
    EXPECT_GE(traits_of(*algorithm).price, price) << search.algorithm;
    price = traits_of(*algorithm).price;
    estimated.insert(search.algorithm);
  }
  EXPECT_EQ(estimated.size(), algorithms().size());
}

template <class Phases>
std::vector<std::string_view> words_of(const Phases& phases,
                                       const std::vector<std::string_view>& wanted) {
  std::vector<std::string_view> words;
  for (const auto& phase : phases) {
    const std::string_view word = to_string(phase.kind);
    if (std::find(wanted.begin(), wanted.end(), word) != wanted.end()) words.push_back(word);
  }
  return words;
}

TEST(AutomaticSteps, AreSearchedAndEstimatedInTheirOrder) {
  std::vector<std::string_view> steps;  // those that every suite goes through
  for (const AutomaticStep& step : automatic_steps()) {
    if (traits_of(step.algorithm).course == Course::by_length) break;
    if (step.when == AutomaticStep::When::always) steps.push_back(to_string(step.algorithm));
  }
  ASSERT_GT(steps.size(), 3U);
  ModelRunner searched(three_tests());
  const DetectFacts found = search_flow(searched, Algorithm::automatic);
  EXPECT_EQ(words_of(found.search.phases, steps), steps);

  ModelRunner sampled(three_tests());
  Deadline deadline;
  SearchListener silent;
  EstimateFacts facts;
  ASSERT_TRUE(estimate_with(sampled, deadline, sampled.suite().default_order(), DetectRequest(),
                            {{Algorithm::automatic, 0, std::chrono::seconds(60)}}, silent, facts));
  EXPECT_EQ(words_of(facts.searches.at(0).phases, steps), steps);
}

TEST(Algorithms, AreThoseOfTheDocumentation) {
  const auto file = std::filesystem::path(GORDIAN_ZOO_SOURCES).parent_path() / "docs/detect.md";
  const auto text = read_regular(file);
  ASSERT_TRUE(text) << file;
  std::set<std::string> rows, sections;
  for (std::string_view line : split_lines(*text)) {
    if (line.starts_with("## ")) sections.emplace(line.substr(3));
    // | [isolation](#isolation) | n | n | one test |
    const std::size_t end = line.find("](#");
    if (line.starts_with("| [") && end != std::string_view::npos) {
      rows.emplace(line.substr(3, end - 3));
    }
  }
  const std::vector<std::string> words = algorithm_words();
  EXPECT_EQ(rows, std::set<std::string>(words.begin(), words.end()));
  for (const std::string& word : words) EXPECT_TRUE(sections.contains(word)) << word;
}

TEST(PhaseKeys, ComeBackFromTheirText) {
  for (const char* text : {"isolation", "auto", "default order", "dataflow", "dataflow backwards",
                           "random seed=7 shuffle=both", "screen seed=7 rounds=3", "aware k=2",
                           "aware seen k=3", "exhaustive k=1"}) {
    const auto key = PhaseKey::parse(text);
    ASSERT_TRUE(key) << text;
    EXPECT_EQ(key->text(), text);
  }
  EXPECT_EQ(PhaseKey::parse("dataflow backwards"), (PhaseKey{PhaseKind::dataflow_backwards}));
  EXPECT_EQ(PhaseKey::parse("aware seen k=3"), (PhaseKey{PhaseKind::aware, "seen", 3}));
  for (const char* text : {"", "isolations", "nothing", "aware k=", "aware k=two"}) {
    EXPECT_EQ(PhaseKey::parse(text), std::nullopt) << text;
  }
}

TEST(PhaseKeys, ClaimAllOrdersWhereNoneWasLeftOut) {
  EXPECT_EQ((PhaseKey{PhaseKind::exhaustive, {}, 2}).all_orders_of(), 2);
  EXPECT_EQ((PhaseKey{PhaseKind::aware, {}, 3}).all_orders_of(), 3);
  EXPECT_EQ((PhaseKey{PhaseKind::aware, "seen", 3}).all_orders_of(), 0);
  EXPECT_EQ((PhaseKey{PhaseKind::pairs}).all_orders_of(), 0);
}

}  // namespace
}  // namespace gordian::detect_test
