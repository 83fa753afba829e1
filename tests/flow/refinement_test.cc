// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The graph of data dependences and its refinement: the cases that the literature draws, and random
// graphs against a reference that knows no short cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/random.h"
#include "flow/refinement.h"

namespace gordian {
namespace {

using Edges = std::vector<FlowGraph::Edge>;
using Places = std::vector<Place>;

/// Runs a refinement to its end; `is_manifest` plays the runs. Keeps what was run.
struct Played {
  std::vector<Places> schedules;
  std::vector<FlowVerdict> verdicts;
};
Played play(const FlowGraph& graph, const std::function<bool(EdgeId)>& is_manifest,
            std::size_t most = SIZE_MAX) {
  Refinement refinement(graph);
  Played played;
  for (auto step = refinement.next(most); !step.empty(); step = refinement.next(most)) {
    for (const auto& experiment : step) {
      const Inverted orders = refinement.orders_of(experiment);
      const std::size_t bare = orders.bare ? orders.bare->size() : 0;
      EXPECT_EQ(experiment.tests, orders.with_writer.size() + bare);
      if (orders.bare) played.schedules.push_back(*orders.bare);
      played.schedules.push_back(orders.with_writer);
    }
    for (const auto& experiment : step) {
      refinement.decide(experiment.edge, is_manifest(experiment.edge) ? FlowVerdict::manifest
                                                                      : FlowVerdict::not_manifest);
    }
  }
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    played.verdicts.push_back(refinement.verdict(EdgeId(i)));
  }
  return played;
}

// Three tests, of which the last reads what both others wrote, and the second what the first wrote:
// turned around, the edge from the third to the first closes a circle.
const Edges kTriangle = {{1, 0}, {2, 0}, {2, 1}};

TEST(FlowGraph, GroupsShareData) {
  const std::vector<Places> two = {{0, 1, 2}, {3, 5}};
  EXPECT_EQ(FlowGraph(7, {{1, 0}, {2, 1}, {5, 3}}).groups(), two);
  EXPECT_TRUE(FlowGraph(4, {}).groups().empty());
}

TEST(Refinement, RunsOnlyWhatIsNeeded) {
  // 4 reads from 3, 3 from 0; 1 and 2 have nothing to do with it.
  Refinement refinement(FlowGraph(5, {{3, 0}, {4, 3}, {2, 1}}));
  const auto step = refinement.next();
  ASSERT_EQ(step.size(), 3U);
  ASSERT_EQ(step[0].edge, EdgeId(1));
  EXPECT_EQ(refinement.orders_of(step[0]).bare, Places{4});
  EXPECT_EQ(refinement.orders_of(step[0]).with_writer, (Places{0, 4, 3}));
}

TEST(Refinement, OneOrderIsEnoughWhereTheReaderNeedsTheSame) {
  Refinement refinement(FlowGraph(3, kTriangle));
  const auto step = refinement.next();
  ASSERT_EQ(step.at(0).edge, EdgeId(2));
  EXPECT_FALSE(refinement.orders_of(step[0]).bare);
  EXPECT_EQ(refinement.orders_of(step[0]).with_writer, (Places{0, 2, 1}));
}

TEST(Refinement, ATriangleIsOpenedByItsHarmlessSide) {
  // The second test sets up what it needs by itself, the third needs the second.
  const Played played = play(FlowGraph(3, kTriangle), [](EdgeId id) { return id == EdgeId(2); });
  EXPECT_EQ(played.schedules, (std::vector<Places>{{0, 2, 1}, {1, 0}, {1, 2, 0}}));
  EXPECT_EQ(played.verdicts, (std::vector{FlowVerdict::not_manifest, FlowVerdict::not_manifest,
                                          FlowVerdict::manifest}));
}

TEST(Refinement, ATriangleWithTwoManifestSidesHasAnUntestableOne) {
  Refinement refinement(FlowGraph(3, kTriangle));
  for (const auto& experiment : refinement.next()) {
    refinement.decide(experiment.edge, FlowVerdict::manifest);
  }
  EXPECT_TRUE(refinement.next().empty());
  EXPECT_EQ(refinement.verdict(EdgeId(1)), FlowVerdict::untestable);
  EXPECT_TRUE(refinement.is_demanded_otherwise(EdgeId(1)));
}

TEST(Refinement, TwoReadersOfOneWriterAreTestedTogether) {
  Refinement refinement(FlowGraph(3, {{1, 0}, {2, 0}}));
  const auto step = refinement.next();
  ASSERT_EQ(step.size(), 2U);
  EXPECT_EQ(refinement.orders_of(step[0]).with_writer, (Places{2, 0}));
  EXPECT_EQ(refinement.orders_of(step[1]).with_writer, (Places{1, 0}));
}

TEST(Refinement, WhatIsRemovedIsNotRunAnyMore) {
  // 2 reads from 1 and 0; once the dependence on 1 is gone, 1 is not needed to test that on 0.
  const Played played = play(FlowGraph(3, {{2, 1}, {2, 0}}), [](EdgeId) { return false; });
  EXPECT_EQ(played.schedules, (std::vector<Places>{{0, 2, 1}, {2, 0}}));
}

// ---- The reference: every question is answered from all edges anew. ----

class Naive {
 public:
  Naive(std::size_t places, Edges edges) : places_(places), edges_(std::move(edges)) {}

  /// Who must run before whom, directly or not, if edge `without` did not count.
  std::vector<std::vector<bool>> closure(std::size_t without) const {
    std::vector<std::vector<bool>> needs(places_, std::vector<bool>(places_));
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (i != without && verdicts_[i] != FlowVerdict::not_manifest) {
        needs[edges_[i].reader][edges_[i].writer] = true;
      }
    }
    for (Place k = 0; k < places_; ++k) {
      for (Place i = 0; i < places_; ++i) {
        for (Place j = 0; j < places_; ++j) {
          if (needs[i][k] && needs[k][j]) needs[i][j] = true;
        }
      }
    }
    return needs;
  }

  Played run(const std::function<bool(EdgeId)>& is_manifest) {
    Played played;
    for (std::vector<std::size_t> step = choose(); !step.empty(); step = choose()) {
      for (std::size_t edge : step) schedule(edge, played.schedules);
      for (std::size_t edge : step) {
        verdicts_[edge] = is_manifest(EdgeId(static_cast<std::uint32_t>(edge)))
                              ? FlowVerdict::manifest
                              : FlowVerdict::not_manifest;
      }
    }
    for (FlowVerdict& verdict : verdicts_) {
      if (verdict == FlowVerdict::untested) verdict = FlowVerdict::untestable;
    }
    played.verdicts = verdicts_;
    return played;
  }

 private:
  std::vector<std::size_t> choose() const {
    std::vector<std::size_t> chosen;
    for (Place reader = static_cast<Place>(places_); reader-- > 0;) {
      std::optional<std::size_t> best;
      for (std::size_t i = 0; i < edges_.size(); ++i) {
        const bool open = edges_[i].reader == reader && verdicts_[i] == FlowVerdict::untested;
        if (!open || closure(i)[reader][edges_[i].writer]) continue;
        if (!best || edges_[i].writer > edges_[*best].writer) best = i;
      }
      if (best) chosen.push_back(*best);
    }
    return chosen;
  }

  void schedule(std::size_t edge, std::vector<Places>& schedules) const {
    const auto needs = closure(edge);
    const auto [reader, writer] = edges_[edge];
    Places bare, both;
    for (Place place = 0; place < places_; ++place) {
      if (needs[reader][place]) bare.push_back(place);
      if (needs[reader][place] || needs[writer][place]) both.push_back(place);
    }
    if (both.size() > bare.size()) {
      bare.push_back(reader);
      schedules.push_back(bare);
    }
    both.insert(both.end(), {reader, writer});
    schedules.push_back(both);
  }

  std::size_t places_;
  Edges edges_;
  std::vector<FlowVerdict> verdicts_ = std::vector(edges_.size(), FlowVerdict::untested);
};

Edges random_edges(Random& random, std::size_t places) {
  Edges edges;
  const std::uint64_t density = 1 + random.below(9);
  for (Place reader = 1; reader < places; ++reader) {
    for (Place writer = 0; writer < reader; ++writer) {
      if (random.below(10) < density) edges.push_back({reader, writer});
    }
  }
  return edges;
}

TEST(Refinement, DoesWhatTheReferenceDoes) {
  std::size_t untestable = 0, waited = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const std::size_t places = 2 + random.below(6);
    const Edges edges = random_edges(random, places);
    const std::uint64_t rate = random.below(5), salt = random.next();
    auto is_manifest = [&](EdgeId id) { return Random(salt ^ id.value()).below(4) < rate; };
    const Played wanted = Naive(places, edges).run(is_manifest);
    const Played seen = play(FlowGraph(places, edges), is_manifest);
    EXPECT_EQ(seen.schedules, wanted.schedules) << seed;
    EXPECT_EQ(seen.verdicts, wanted.verdicts) << seed;
    EXPECT_EQ(play(FlowGraph(places, edges), is_manifest, 1).verdicts, wanted.verdicts) << seed;
    untestable += std::count(seen.verdicts.begin(), seen.verdicts.end(), FlowVerdict::untestable);
    waited += !std::is_sorted(seen.schedules.begin(), seen.schedules.end());
  }
  EXPECT_GT(untestable, 100U);
  EXPECT_GT(waited, 100U);
}

/// More places than a word has bits, in groups that do not know of each other, and long ways.
TEST(Refinement, DoesWhatTheReferenceDoesInLargerGraphs) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {  // the reference is slow
    Random random(seed);
    const std::size_t places = 60 + random.below(20);
    const std::uint64_t groups = 1 + random.below(3), rate = random.below(4), salt = random.next();
    Edges edges;
    for (Place reader = 1; reader < places; ++reader) {
      for (Place writer = reader > 6 ? reader - 6 : 0; writer < reader; ++writer) {
        const bool near = writer % groups == reader % groups && random.below(2) == 0;
        if (near) edges.push_back({reader, writer});
      }
    }
    auto is_manifest = [&](EdgeId id) { return Random(salt ^ id.value()).below(4) < rate; };
    const Played wanted = Naive(places, edges).run(is_manifest);
    EXPECT_EQ(play(FlowGraph(places, edges), is_manifest).schedules, wanted.schedules) << seed;
    EXPECT_EQ(play(FlowGraph(places, edges), is_manifest, 1).verdicts, wanted.verdicts) << seed;
  }
}

TEST(Refinement, EveryScheduleBreaksOneDependenceAndKeepsTheOthers) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const std::size_t places = 3 + random.below(20);
    const Edges edges = random_edges(random, places);
    Refinement refinement(FlowGraph(places, edges));
    for (auto step = refinement.next(); !step.empty(); step = refinement.next()) {
      for (const auto& experiment : step) {
        const EdgeId edge = experiment.edge;
        const Places order = refinement.orders_of(experiment).with_writer;
        auto at = [&order](Place place) { return std::find(order.begin(), order.end(), place); };
        for (std::uint32_t i = 0; i < edges.size(); ++i) {
          if (!refinement.graph().has(EdgeId(i)) || at(edges[i].reader) == order.end()) continue;
          const bool kept = at(edges[i].writer) < at(edges[i].reader);
          EXPECT_EQ(kept, EdgeId(i) != edge) << seed;
        }
        EXPECT_EQ(std::set(order.begin(), order.end()).size(), order.size());
      }
      for (const auto& experiment : step) {
        refinement.decide(experiment.edge,
                          random.below(2) == 0 ? FlowVerdict::manifest : FlowVerdict::not_manifest);
      }
    }
  }
}

}  // namespace
}  // namespace gordian
