// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the user points at, as targets. --level says what counts as a test. `binary`: a test case
// inside a test binary; `process`: each ctest test of a build, whatever program it starts.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/run.h"
#include "model/target.h"
#include "runtime/native/executor.h"

namespace gordian {

/// resolve_targets() at that level.
Result<TargetSelection> resolve_at_level(const std::string& level,
                                         const std::vector<std::string>& words,
                                         const std::vector<std::string>& args);

/// list_tests(), also for a target of the level of processes.
Result<Suite> list_any_tests(const Target& target, const ExecutorOptions& options,
                             std::vector<Notice>& notices);

/// Among several targets this error is no reason to fail: the filter leaves nothing of the target,
/// or it is a program that ctest runs but that is no test binary.
bool may_be_passed_over(const Error& error, const Target& target);

}  // namespace gordian
