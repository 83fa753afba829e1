// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Splitting what a command names into shards, from what the database knows: dependences of this
// build, and times of an earlier run. `shard` shows and writes the split, `run --shard` runs a part
// of it. The same tests, dependences and times give the same split on every machine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/order_spec.h"
#include "model/shard_facts.h"
#include "runtime/engine_options.h"

namespace gordian {

struct ShardRequestOptions {
  std::size_t count = 1;
  bool by_time = true;  ///< where times were recorded; else by count, with a notice
  TestFilter filter;
  bool also_disabled = false;
  std::filesystem::path db;  ///< may be missing
  EngineOptions engine;
};

inline constexpr std::size_t kMostShards = 1000;

/// "2/4": shard 2 of 4.
struct ShardChoice {
  std::size_t index = 0;  ///< counted from 0
  std::size_t count = 1;
  std::string text() const;
};
Result<ShardChoice> parse_shard(const std::string& word);

/// Lists the tests of each target and splits them. Among several targets those that are no test
/// binaries, or of which the filter leaves nothing, are left out; `passed_over` gets a sentence for
/// each. If nothing is left at all, the first of these errors is the answer.
Result<ShardPlan> plan_shards(const std::vector<Target>& targets,
                              const ShardRequestOptions& options,
                              std::vector<std::string>& passed_over);

/// Shards as files that `gordian run --order` reads: NAME-2-of-4.order, and where a shard needs
/// more than one process NAME-2-of-4-p2.order and so on. Makes the directory if it is not there,
/// and fills in the names of the files. Files of an earlier split of the same name into as many
/// shards that are not written anew are removed: they would be taken for parts of this one. Nothing
/// else is touched.
Status write_order_files(ShardPlan& plan, const std::filesystem::path& directory);

}  // namespace gordian
