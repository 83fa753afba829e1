// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The smallest set of candidates whose reset changes an outcome back.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace gordian {

/// Runs the witness with these candidates reset; true when the result is the one we look for.
/// nullopt: no more runs, please (budget, interrupt).
using TryReset = std::function<std::optional<bool>(const std::vector<std::size_t>& candidates)>;

/// A set of candidates 0 to count - 1 that is enough and of which each is needed; the first single
/// one that is enough, if any is. Empty: not even all of them are.
std::vector<std::size_t> minimal_set(std::size_t count, const TryReset& try_reset);

}  // namespace gordian
