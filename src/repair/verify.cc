// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "repair/framework_macros.h"
#include "repair/patch_checks.h"

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

Result<Verification> PatchChecks::take(const std::vector<std::function<Status()>>& steps) {
  const auto began = std::chrono::steady_clock::now();
  check_texts();
  for (const auto& step : steps) {
    if (over_) break;
    if (Status done = step(); !done) return done.error();
  }
  if (!over_) end(partly_.empty() ? RepairVerdict::verified : RepairVerdict::partly, partly_);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  result_.check_seconds = taken.count() - result_.build_seconds;
  return std::move(result_);
}

std::set<std::string> names_of(const ChangedFiles& files) {
  std::set<std::string> names;
  for (const auto& [path, file] : files) names.insert(path);
  return names;
}

CheckContext Verifier::context() {
  return {workspace_, before_, options_, base_};
}

Result<Verification> Verifier::verify(const NamedDependence& d, const ChangedFiles& files,
                                      const Symptoms& reference, const Tell& tell,
                                      const std::vector<NamedDependence>& repaired) {
  PatchChecks checks(context(), files, tell);
  return checks.take({
      [&] { return checks.build(); },
      [&] { return checks.check_test_list(); },
      [&] { return checks.check_witness(d); },
      [&] { return checks.check_alone(&d); },
      [&] { return checks.check_passing(&d); },
      [&] { return checks.check_repaired(repaired); },
      [&] { return checks.check_singles(d); },
      [&] { return checks.check_reversed(d, reference); },
      [&] { return checks.check_default_order(); },
      [&] { return checks.check_random_orders(d.test, reference); },
  });
}

Result<Verification> Verifier::verify_all(const ChangedFiles& files, const Symptoms& reference,
                                          const std::vector<NamedDependence>& repaired) {
  const Tell nobody = [](std::string_view) {};
  PatchChecks checks(context(), files, nobody);
  return checks.take({
      [&] { return checks.check_test_list(); },
      [&] { return checks.check_alone(nullptr); },
      [&] { return checks.check_passing(nullptr); },
      [&] { return checks.check_repaired(repaired); },
      [&] { return checks.check_default_order(); },
      [&] { return checks.check_random_orders("", reference); },
  });
}

Result<StillShows> Verifier::still_shows(const NamedDependence& d,
                                         const std::set<std::string>& changed_files) {
  std::vector<Names> orders = {d.witness, {d.test}};  // the role may be wrong
  const std::size_t first_single = orders.size();
  for (const std::string& single : d.singles) {
    if (d.role == Role::victim && single != d.test) orders.push_back({single, d.test});
  }
  auto runs = run_repeatedly(workspace_, before_.suite, orders, options_.confirmations);
  if (!runs) return runs.error();
  StillShows shows;
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const Repeated& run = (*runs)[i];
    if (run.steady.back() && same_after(d.goal(), run.outcomes.back(), changed_files)) continue;
    if (i < first_single) {
      shows.in_witness = true;
    } else {
      shows.singles.push_back(orders[i].front());
    }
  }
  return shows;
}

}  // namespace gordian
