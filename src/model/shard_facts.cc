// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/shard_facts.h"

namespace gordian {

std::chrono::nanoseconds ShardPlan::time_of(std::size_t shard) const {
  std::chrono::nanoseconds sum{0};
  for (const ShardFacts& target : targets) sum += target.shards[shard].time;
  return sum;
}

std::size_t ShardPlan::tests_of(std::size_t shard) const {
  std::size_t sum = 0;
  for (const ShardFacts& target : targets) sum += target.shards[shard].tests;
  return sum;
}

std::size_t ShardPlan::extras_of(std::size_t shard) const {
  std::size_t sum = 0;
  for (const ShardFacts& target : targets) sum += target.shards[shard].extras;
  return sum;
}

Order own_tests(const ShardFacts::Part& part) {
  Order tests;
  for (const ShardFacts::Process& process : part.processes) {
    for (std::size_t i = 0; i < process.order.size(); ++i) {
      if (!process.extra[i]) tests.push_back(process.order[i]);
    }
  }
  return tests;
}

}  // namespace gordian
