// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// States of a program as its debug information shows them: names and types as explanations have
// them, who may name them, and functions that may lead to them or reset them, guessed by what they
// return and how they are called. What only a compiler knows stays unknown.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "repair/source_facts.h"

namespace gordian {

struct DebugStates {
  std::vector<StateFact> states;
  std::vector<AccessorFact> accessors;
  std::vector<ResetFact> resets;
};

/// An error for a program without debug information. `cache_dir` as in DebugInfoOptions.
Result<DebugStates> read_debug_states(const std::filesystem::path& binary,
                                      const std::optional<std::filesystem::path>& cache_dir);

}  // namespace gordian
