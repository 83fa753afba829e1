// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/verify.h"

#include <algorithm>
#include <chrono>

#include "repair/patch_checks.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

std::set<std::string> names_of(const ChangedFiles& files) {
  std::set<std::string> names;
  for (const auto& [path, file] : files) names.insert(path);
  return names;
}

CheckContext Verifier::context() {
  return {workspace_, before_, options_, base_};
}

Result<Verification> Verifier::verify(const NamedDependence& d, const ChangedFiles& files,
                                      const Shown& reference, const Tell& tell,
                                      const std::vector<NamedDependence>& repaired) {
  PatchChecks checks(context(), files, tell);
  const auto began = Clock::now();
  checks.check_texts();
  const std::vector<std::function<Status()>> steps = {
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
  };
  for (const auto& step : steps) {
    if (checks.over()) break;
    if (Status done = step(); !done) return done.error();
  }
  checks.conclude();
  Verification result = std::move(checks).take();
  result.check_seconds = seconds_since(began) - result.build_seconds;
  return result;
}

Result<Verification> Verifier::verify_all(const ChangedFiles& files, const Shown& reference,
                                          const std::vector<NamedDependence>& repaired) {
  const Tell nobody = [](std::string_view) {};
  PatchChecks checks(context(), files, nobody);
  const auto began = Clock::now();
  checks.check_texts();
  const std::vector<std::function<Status()>> steps = {
      [&] { return checks.check_test_list(); },
      [&] { return checks.check_alone(nullptr); },
      [&] { return checks.check_passing(nullptr); },
      [&] { return checks.check_repaired(repaired); },
      [&] { return checks.check_default_order(); },
      [&] { return checks.check_random_orders("", reference); },
  };
  for (const auto& step : steps) {
    if (checks.over()) break;
    if (Status done = step(); !done) return done.error();
  }
  checks.conclude();
  Verification result = std::move(checks).take();
  result.check_seconds = seconds_since(began);
  return result;
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
