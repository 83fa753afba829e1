// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/gcov_flow.h"

namespace gordian {
namespace {

constexpr std::uint32_t kEntry = 0, kExit = 1;

}  // namespace

std::optional<GcovFlow> GcovFlow::of(const GcovFunction& function) {
  if (function.blocks < 2) return std::nullopt;
  GcovFlow flow;
  flow.blocks_ = function.blocks;
  std::vector<bool> unknown;
  for (const GcovArc& arc : function.arcs) {
    if (!arc.on_tree) flow.counted_.push_back(static_cast<std::uint32_t>(flow.ways_.size()));
    flow.ways_.push_back({arc.from, arc.to});
    unknown.push_back(arc.on_tree);
  }
  flow.ways_.push_back({kExit, kEntry});
  unknown.push_back(true);

  std::vector<std::vector<std::uint32_t>> at(function.blocks);  // unknown ways of each block
  std::size_t left = 0;
  for (std::uint32_t i = 0; i < flow.ways_.size(); ++i) {
    if (!unknown[i]) continue;
    ++left;
    at[flow.ways_[i].from].push_back(i);
    if (flow.ways_[i].to != flow.ways_[i].from) at[flow.ways_[i].to].push_back(i);
  }
  std::vector<std::uint32_t> ready;
  for (std::uint32_t block = 0; block < function.blocks; ++block) {
    if (at[block].size() == 1) ready.push_back(block);
  }
  while (!ready.empty()) {
    const std::uint32_t block = ready.back();
    ready.pop_back();
    if (at[block].size() != 1) continue;
    const std::uint32_t way = at[block].front();
    if (flow.ways_[way].from == flow.ways_[way].to) return std::nullopt;
    flow.steps_.push_back({way, block});
    --left;
    for (std::uint32_t end : {flow.ways_[way].from, flow.ways_[way].to}) {
      std::erase(at[end], way);
      if (at[end].size() == 1) ready.push_back(end);
    }
  }
  if (left != 0) return std::nullopt;
  return flow;
}

std::vector<bool> GcovFlow::blocks_run(std::span<const std::uint64_t> counters) const {
  std::vector<std::uint64_t> in(blocks_), out(blocks_);  // modulo 2^64: some are negative
  const auto add = [&](std::uint32_t way, std::uint64_t count) {
    out[ways_[way].from] += count;
    in[ways_[way].to] += count;
  };
  for (std::size_t i = 0; i < counted_.size(); ++i) {
    add(counted_[i], counters[i]);
  }
  for (const Step& step : steps_) {
    const std::uint64_t missing = in[step.block] - out[step.block];
    add(step.way, ways_[step.way].from == step.block ? missing : 0 - missing);
  }
  std::vector<bool> run(blocks_);
  for (std::uint32_t block = 0; block < blocks_; ++block) {
    run[block] = static_cast<std::int64_t>(in[block]) > 0;
  }
  return run;
}

}  // namespace gordian
