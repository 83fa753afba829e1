// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/patch_checks.h"

#include <fmt/format.h>

#include "repair/placing.h"

namespace gordian {

/// What is taken away or switched off in the text, whatever the runs may say.
void PatchChecks::check_texts() {
  RepairCheck& check = begin(CheckKind::checks_kept);
  for (const auto& [path, file] : files_) {
    if (!file.before) continue;
    const CheckCount before = count_checks(*file.before), after = count_checks(file.after);
    auto lost = [&, &path = path](const char* what, int was, int is) {
      fail(check, fmt::format("{}: {} ({} before, {} with the patch)", path, what, was, is));
    };
    if (after.tests < before.tests) lost("a test is removed", before.tests, after.tests);
    if (after.skips > before.skips) {
      lost("a test is skipped or disabled", before.skips, after.skips);
    }
    if (after.checks < before.checks) {
      lost("an assertion is removed", before.checks, after.checks);
    }
  }
  for (const auto& [path, file] : files_) {
    if (file.before || count_checks(file.after).skips == 0) continue;
    fail(check, fmt::format("{}: a new file skips or disables tests", path));
  }
  if (!check.passed) reject(check);
}

Status PatchChecks::build() {
  RepairCheck& check = begin(CheckKind::build);
  auto built = c_.workspace.build(files_, tell_);
  if (!built) return built.error();
  check.runs = 1;
  result_.build_seconds = built->seconds;
  if (!built->succeeded) {
    fail(check, built->first_error);
    end(RepairVerdict::not_built, built->first_error);
  } else if (!built->new_warnings.empty()) {
    fail(check, "a new warning: " + built->new_warnings.front());
    reject(check);
  }
  return {};
}

Status PatchChecks::check_test_list() {
  RepairCheck& check = begin(CheckKind::tests_kept);
  auto suite = c_.workspace.suite();
  if (!suite) {
    if (suite.error().kind == ErrorKind::interrupted) return suite.error();
    fail(check, "the program does not start any more: " + suite.error().message);
    reject(check);
    return {};
  }
  check.runs = 1;
  std::map<std::string, bool> now;
  for (const Test& test : suite->tests()) now.emplace(test.full_name(), test.will_run);
  for (const Test& test : c_.before.suite.tests()) {
    const auto found = now.find(test.full_name());
    if (found == now.end()) {
      fail(check, test.full_name() + " is gone");
    } else if (test.will_run && !found->second) {
      fail(check, test.full_name() + " does not run by itself any more");
    }
  }
  if (now.size() > c_.before.suite.tests().size()) {
    fail(check, fmt::format("{} tests in place of {}", now.size(), c_.before.suite.size()));
  }
  if (!check.passed) reject(check);
  return {};
}

void PatchChecks::conclude() {
  if (over_) return;
  if (partly_.empty()) return end(RepairVerdict::verified, "");
  end(RepairVerdict::partly, partly_);
}

}  // namespace gordian
