// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/repair.h"

#include <gtest/gtest.h>

#include <set>

namespace gordian {
namespace {

TEST(RepairWords, EveryStrategyIsFoundByItsWordAndStandsOnTheLadderInOrder) {
  std::set<std::string_view> words;
  for (Strategy strategy : all_strategies()) {
    EXPECT_EQ(parse_strategy(to_string(strategy)), strategy);
    EXPECT_EQ(static_cast<std::size_t>(strategy), words.size());
    words.insert(to_string(strategy));
  }
  EXPECT_EQ(static_cast<std::size_t>(Strategy::declare) + 1, words.size());
  EXPECT_EQ(parse_strategy("own_reset"), std::nullopt);
}

TEST(RepairWords, EveryVerdictIsFoundByItsWord) {
  for (int i = 0; i <= static_cast<int>(RepairVerdict::not_built); ++i) {
    const auto verdict = static_cast<RepairVerdict>(i);
    EXPECT_EQ(parse_repair_verdict(to_string(verdict)), verdict);
  }
  EXPECT_EQ(parse_repair_verdict("unknown"), std::nullopt);
}

}  // namespace
}  // namespace gordian
