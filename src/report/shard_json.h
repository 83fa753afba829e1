// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A split into shards as JSON; docs/json.md describes it. Pure.
#pragma once

#include <nlohmann/json.hpp>

#include "model/shard_facts.h"

namespace gordian {

nlohmann::json shards_to_json(const ShardPlan& plan);

}  // namespace gordian
