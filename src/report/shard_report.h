// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A split into shards, for people and as JSON (docs/json.md). Pure.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "model/export_facts.h"
#include "model/shard_facts.h"
#include "report/terminal_style.h"

namespace gordian {

/// Everything: the table, the balance, what dependences have cost. `command`: what runs a shard, as
/// "gordian run BUILD --isolate none --shard"; empty: not said. Ends with a newline.
std::string shard_text(const ShardPlan& plan, const std::string& command, const Style& style);

/// One line for one of them, and the notices. Ends with a newline.
std::string shard_headline(const ShardPlan& plan, std::size_t shard, const Style& style);

/// How much longer the slowest shard takes than the mean, as a share: 0.14. 0 if all are empty.
double imbalance(const ShardPlan& plan);

nlohmann::json shards_to_json(const ShardPlan& plan);

// Known dependences in the words of other runners. Pure.

/// A script for ctest, to be included behind the tests (docs/shard.md says how). While the
/// environment variable GORDIAN_WITHOUT_EXPORT is set it does nothing.
std::string ctest_script(const CtestExport& facts);

/// A .bzl file.
std::string bazel_script(const std::vector<BazelTarget>& targets);

/// For people: what was written, and what no property can do. Ends with a newline.
std::string ctest_export_text(const CtestExport& facts, const std::string& file,
                              const Style& style);
std::string bazel_export_text(const std::vector<BazelTarget>& targets, const std::string& file,
                              const Style& style);

}  // namespace gordian
