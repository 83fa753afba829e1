// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/level.h"

#include "runtime/process/process_suite.h"
#include "runtime/runner.h"

namespace gordian {

Result<TargetSelection> resolve_at_level(const std::string& level,
                                         const std::vector<std::string>& words,
                                         const std::vector<std::string>& args) {
  return level == "process" ? resolve_process_targets(words, args) : resolve_targets(words, args);
}

Result<Suite> list_any_tests(const Target& target, const ExecutorOptions& options,
                             std::vector<Notice>& notices) {
  if (!is_process_target(target)) return list_tests(target, options, notices);
  auto processes = ProcessSuite::open(target);
  if (!processes) return processes.error();
  notices.insert(notices.end(), processes->notices().begin(), processes->notices().end());
  return processes->suite();
}

bool may_be_passed_over(const Error& error, const Target& target) {
  return error.kind == ErrorKind::no_match ||
         (error.kind == ErrorKind::not_a_test && !target.origin.empty());
}

}  // namespace gordian
