// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/level.h"

#include "runtime/runner.h"
#include "runtime/process/process_suite.h"

namespace gordian {

void add_level_option(OptionSet& set, std::string& level) {
  set.add_option("--level", level,
                 "binary: test cases inside of test binaries; process: each ctest test of a build "
                 "directory is one test, whatever program it starts")
      ->one_of({"binary", "process"})
      ->show_default();
}

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

}  // namespace gordian
