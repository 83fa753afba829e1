// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The smallest set of candidates whose reset changes an outcome back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace gordian {

enum class ResetEffect : std::uint8_t {
  none,    ///< the outcome is as without it
  helped,  ///< the one we look for
  broke,   ///< another one: the program does not stand this
};

/// Runs the witness with these candidates reset. nullopt: no more runs, please (budget, interrupt).
using TryReset =
    std::function<std::optional<ResetEffect>(const std::vector<std::size_t>& candidates)>;

/// A set of candidates 0 to count - 1 that is enough and of which each is needed; the first single
/// one that is enough, if any is. What breaks the program on its own is left out of larger sets.
/// Empty: nothing was enough.
std::vector<std::size_t> minimal_set(std::size_t count, const TryReset& try_reset);

}  // namespace gordian
