// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explain.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

namespace gordian {
namespace {

using Set = std::vector<std::size_t>;
using testing::ElementsAre;
using testing::IsEmpty;

/// Helps when all of `needed` are reset and none of `harmful` is.
struct World {
  std::set<std::size_t> needed, harmful;
  int runs = 0;

  TryReset trial() {
    return [this](const Set& set) -> std::optional<ResetEffect> {
      ++runs;
      auto reset = [&](std::size_t one) {
        return std::find(set.begin(), set.end(), one) != set.end();
      };
      if (std::any_of(harmful.begin(), harmful.end(), reset)) return ResetEffect::broke;
      return std::all_of(needed.begin(), needed.end(), reset) ? ResetEffect::helped
                                                              : ResetEffect::none;
    };
  }
};

TEST(MinimalSet, OneIsEnough) {
  World world{{3}, {}};
  EXPECT_THAT(minimal_set(10, world.trial()), ElementsAre(3));
  EXPECT_EQ(world.runs, 4);
}

TEST(MinimalSet, TheFirstOfSeveralThatAreEnough) {
  auto either = [](const Set& set) {
    return std::optional(set.front() >= 2 ? ResetEffect::helped : ResetEffect::none);
  };
  EXPECT_THAT(minimal_set(5, either), ElementsAre(2));
}

TEST(MinimalSet, SeveralThatAreNeededTogether) {
  World world{{1, 4, 7}, {}};
  EXPECT_THAT(minimal_set(9, world.trial()), ElementsAre(1, 4, 7));
}

TEST(MinimalSet, WhatBreaksTheProgramStaysOut) {
  World world{{0, 5}, {2, 3}};
  EXPECT_THAT(minimal_set(6, world.trial()), ElementsAre(0, 5));
}

TEST(MinimalSet, NothingHelps) {
  World world{{99}, {}};
  EXPECT_THAT(minimal_set(4, world.trial()), IsEmpty());
  EXPECT_THAT(minimal_set(0, world.trial()), IsEmpty());
}

TEST(MinimalSet, NoMoreTime) {
  int runs = 0;
  auto impatient = [&](const Set&) -> std::optional<ResetEffect> {
    if (++runs > 2) return std::nullopt;
    return ResetEffect::none;
  };
  EXPECT_THAT(minimal_set(5, impatient), IsEmpty());
  EXPECT_EQ(runs, 3);
}

TEST(MinimalSet, RandomWorlds) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    World world;
    const std::size_t count = 2 + random() % 20;
    for (std::size_t c = 0; c < count; ++c) {
      if (random() % 5 == 0) {
        world.needed.insert(c);
      } else if (random() % 6 == 0) {
        world.harmful.insert(c);
      }
    }
    if (world.needed.empty()) world.needed.insert(0), world.harmful.erase(0);
    EXPECT_EQ(minimal_set(count, world.trial()), Set(world.needed.begin(), world.needed.end()))
        << "world " << i;
  }
}

}  // namespace
}  // namespace gordian
