// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Faults that the user has seeded, as a list in a file, and which tests notice them. One fault a
// line:
//   NAME: [VARIABLE=VALUE]... [BINARY]
// The fault is switched on by variables of the environment, or is in another build of the test
// binary (a path, relative to the list), or both. '#' starts a comment line.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/run.h"
#include "base/result.h"
#include "model/rank_facts.h"
#include "model/target.h"

namespace gordian {

struct ListedFault {
  std::string name, command;
  std::vector<EnvChange> env;
  std::filesystem::path binary;  ///< empty: the one that is tested
};

/// `directory`: what relative paths are relative to; `file`: for messages. A list without a fault
/// is an error.
Result<std::vector<ListedFault>> parse_fault_list(std::string_view text, const std::string& file,
                                                  const std::filesystem::path& directory);
Result<std::vector<ListedFault>> read_fault_list(const std::filesystem::path& file);

struct FaultCheck {
  const RankedBinary& of;
  const std::vector<ProcessOrder>& reduced;
  RunRequest run;  ///< limits and the like
  /// What a test does without a fault; null if that is not always the same.
  std::function<const Outcome*(TestId)> expected;
  RunObserver& observer;
};

/// Runs all tests in the default order and the reduced ones in theirs, each with the fault in it. A
/// fault is found by the tests whose result is another one than without it, twice.
Result<SeededFault> check_fault(const FaultCheck& check, const ListedFault& fault);

}  // namespace gordian
