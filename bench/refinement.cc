// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the refinement of data dependences costs by itself, without a run: generated graphs from 100
// to 40,000 dependences. To schedule is to choose dependences, to look for cycles and to say which
// tests an order holds; the orders are written down apart from that, as their length is what it is.
// Prints JSON, one line for each size and shape; processor time, the best of several rounds.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

#include "base/random.h"
#include "flow/refinement.h"

namespace gordian {
namespace {

using Edges = std::vector<FlowGraph::Edge>;

/// Tests read from some ten of the thirty tests before them.
Edges neighbours(std::size_t wanted) {
  Random random(1);
  Edges edges;
  for (Place reader = 1; edges.size() < wanted; ++reader) {
    for (Place back = 1; back <= 30 && back <= reader && edges.size() < wanted; ++back) {
      if (random.below(3) == 0) edges.push_back({reader, reader - back});
    }
  }
  return edges;
}

/// Groups of thirty tests; within one, each reads from every third before it.
Edges groups(std::size_t wanted) {
  Random random(2);
  Edges edges;
  for (Place first = 0; edges.size() < wanted; first += 30) {
    for (Place reader = first + 1; reader < first + 30; ++reader) {
      for (Place writer = first; writer < reader && edges.size() < wanted; ++writer) {
        if (random.below(3) == 0) edges.push_back({reader, writer});
      }
    }
  }
  return edges;
}

/// One counter that every test reads and writes.
Edges chain(std::size_t wanted) {
  Edges edges;
  for (Place reader = 1; edges.size() < wanted; ++reader) edges.push_back({reader, reader - 1});
  return edges;
}

struct Cost {
  double scheduling = 0, writing = 0;  ///< seconds
  std::uint64_t tests = 0;
};

double since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// One dependence in `rarity` is manifest; orders are handed out as the search does.
Cost refine(const Edges& edges, std::uint64_t rarity) {
  constexpr std::size_t kBatchTests = 1u << 17;
  const std::size_t places = edges.back().reader + 1;
  const std::clock_t begin = std::clock();
  Refinement refinement(FlowGraph(places, edges));
  Cost cost;
  for (auto step = refinement.next(kBatchTests); !step.empty();
       step = refinement.next(kBatchTests)) {
    const std::clock_t chosen = std::clock();
    for (const auto& experiment : step) {
      const Inverted orders = refinement.orders_of(experiment);
      cost.tests += orders.with_writer.size() + (orders.bare ? orders.bare->size() : 0);
    }
    cost.writing += since(chosen);
    for (const auto& experiment : step) {
      const bool manifest = Random(experiment.edge.value()).below(rarity) == 0;
      refinement.decide(experiment.edge,
                        manifest ? FlowVerdict::manifest : FlowVerdict::not_manifest);
    }
  }
  cost.scheduling = since(begin) - cost.writing;
  return cost;
}

void measure(const std::string& shape, const Edges& edges, int rounds) {
  Cost best = refine(edges, 10);
  for (int i = 1; i < rounds; ++i) {
    const Cost again = refine(edges, 10);
    best.scheduling = std::min(best.scheduling, again.scheduling);
    best.writing = std::min(best.writing, again.writing);
  }
  const auto count = static_cast<double>(edges.size());
  fmt::print(
      "{{\"shape\": \"{}\", \"dependences\": {}, \"scheduled_tests\": {}, "
      "\"us_per_dependence\": {:.3f}, \"writing_us_per_dependence\": {:.3f}, "
      "\"ns_per_scheduled_test\": {:.2f}}}\n",
      shape, edges.size(), best.tests, best.scheduling * 1e6 / count, best.writing * 1e6 / count,
      (best.scheduling + best.writing) * 1e9 / static_cast<double>(best.tests));
  std::fflush(stdout);
}

}  // namespace
}  // namespace gordian

int main(int argc, char** argv) {
  using namespace gordian;
  const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
  for (std::size_t size : {100u, 1000u, 10'000u, 40'000u}) {
    if (quick && size > 1000) break;
    const int rounds = quick ? 1 : 5;
    measure("groups", groups(size), rounds);
    measure("neighbours", neighbours(size), rounds);
    measure("chain", chain(size), rounds);
  }
}
