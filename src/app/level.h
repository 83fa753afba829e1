// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the user points at, as targets. --level says what counts as a test. `binary`: a test case
// inside a test binary; `process`: each ctest test of a build, whatever program it starts.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/target.h"

namespace gordian {

/// resolve_targets() at that level.
Result<TargetSelection> resolve_at_level(const std::string& level,
                                         const std::vector<std::string>& words,
                                         const std::vector<std::string>& args);

/// The one target that this word is to the runtime that recognises it: a build directory is one of
/// processes.
Result<Target> resolve_one(const std::string& word, const std::vector<std::string>& args);

/// The time limit that a test has there by itself, if it is another one than elsewhere.
void use_timeout_of_level(const std::string& level, std::string& timeout);

/// Among several targets this error is no reason to fail: the filter leaves nothing of the target,
/// or it is a program that ctest runs but that is no test binary.
bool may_be_passed_over(const Error& error, const Target& target);

}  // namespace gordian
