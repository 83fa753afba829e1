// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Shards as files that `gordian run --order` reads: NAME-2-of-4.order, and where a shard needs more
// than one process NAME-2-of-4-p2.order and so on.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "model/shard_facts.h"

namespace gordian {

/// Makes the directory if it is not there, and fills in the names of the files. Files of an earlier
/// split of the same name into as many shards that are not written anew are removed: they would be
/// taken for parts of this one. Nothing else is touched.
Status write_order_files(ShardPlan& plan, const std::filesystem::path& directory);

}  // namespace gordian
