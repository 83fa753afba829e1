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

}  // namespace
}  // namespace gordian
