// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/replaying.h"

#include <algorithm>

#include "app/stored_dependences.h"
#include "store/run_store.h"

namespace gordian {

Result<RunFacts> load_stored_run(const std::string& word, const std::string& db) {
  auto id = asked_run(word);
  if (!id) return id.error();
  if (auto missing = missing_database(word, db)) return *missing;
  auto store = RunStore::open(db);
  if (!store) return store.error();
  return store->load_run(*id);
}

Result<NamedDependence> load_stored_dependence(const std::string& word, const std::string& db) {
  auto id = asked_dependence(word);
  if (!id) return id.error();
  if (auto missing = missing_database(word, db)) return *missing;
  auto store = DependenceStore::open(db);
  if (!store) return store.error();
  return store->load(*id);
}

void ask_for_same(const RunFacts& before, RunRequest& request) {
  request.target = before.header.target;
  request.order.seed = before.header.seed;
  request.exact_order.emplace();
  if (before.orders.empty()) return;
  request.exact_order = names_of(before.suite, before.orders.front().order);
}

void ask_for_witness(const NamedDependence& stored, RunRequest& request) {
  request.target = stored.target;
  request.exact_order = stored.witness;
  request.isolation = Isolation::none;
}

std::vector<ReplayDifference> compare_runs(const RunFacts& before, const RunFacts& now) {
  std::vector<ReplayDifference> differences;
  const auto& old_runs = before.orders.front().runs;
  const auto& new_runs = now.orders.front().runs;
  for (std::size_t i = 0; i < std::min(old_runs.size(), new_runs.size()); ++i) {
    const Outcome &was = old_runs[i].outcome, &is = new_runs[i].outcome;
    const bool both_unknown = was.kind == OutcomeKind::not_run && is.kind == OutcomeKind::not_run;
    if (both_unknown || same_result(was, is)) continue;
    differences.push_back({now.suite.test(new_runs[i].test).full_name(), was.kind, is.kind});
  }
  return differences;
}

}  // namespace gordian
