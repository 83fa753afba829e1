// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/baseline_runs.h"

#include <algorithm>

#include "model/declared.h"
#include "model/order_spec.h"

namespace gordian {
namespace {

Order ids_of(const Suite& suite, const Names& names) {
  Order order;
  for (const std::string& name : names) {
    if (const auto id = suite.find(name)) order.push_back(*id);
  }
  return order;
}

/// As the program compiled it in: maybe relative, or with other parts before.
bool is_among(const std::string& file, const std::set<std::string>& files) {
  return std::any_of(files.begin(), files.end(), [&file](const std::string& changed) {
    const std::string& longer = changed.size() > file.size() ? changed : file;
    const std::string& shorter = changed.size() > file.size() ? file : changed;
    return !shorter.empty() && longer.ends_with(shorter);
  });
}

bool wavers(const Outcome& a, const Outcome& b) {
  if (a.kind == OutcomeKind::not_run && b.kind == OutcomeKind::not_run) return false;
  return !same_result(a, b);
}

/// What the framework could do itself, and what only a search does, in turn.
void make_random_orders(BeforePatches& before, const CheckOptions& options) {
  const Order all = before.suite.default_order();
  const Declared declared(before.suite);
  for (int i = 0; i < options.random_orders; ++i) {
    OrderSpec spec;
    spec.kind = i % 2 == 0 ? OrderSpec::Kind::random : OrderSpec::Kind::interleave;
    spec.seed = options.seed + static_cast<std::uint64_t>(i);
    const Order order = spec.kind == OrderSpec::Kind::random
                            ? shuffle_suites(before.suite, all, *spec.seed)
                            : interleave(all, *spec.seed);
    before.random_orders.push_back(names_of(before.suite, declared.lawful(order)));
    before.random_specs.push_back(spec.text());
  }
}

/// Expected results and those alone.
Status measure_results(Workspace& workspace, BeforePatches& before, int times) {
  std::vector<Names> orders = {before.order};
  for (const std::string& test : before.order) orders.push_back({test});
  auto runs = run_repeatedly(workspace, before.suite, orders, times);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const Repeated& run = (*runs)[i];
    auto& results = i == 0 ? before.expected : before.alone;
    for (std::size_t at = 0; at < run.order.size(); ++at) {
      results.emplace(run.order[at], run.outcomes[at]);
      if (!run.steady[at]) before.wavering.insert(run.order[at]);
    }
    before.runs += run.runs;
  }
  return {};
}

/// What each does in the reversed witnesses: some of those that a test depends on depend on it.
Status measure_reversed(Workspace& workspace, const std::vector<NamedDependence>& dependences,
                        BeforePatches& before) {
  std::vector<Names> orders;
  for (const NamedDependence& dependence : dependences) orders.push_back(reversed(dependence));
  auto runs = run_repeatedly(workspace, before.suite, orders, 1);
  if (!runs) return runs.error();
  for (const Repeated& run : *runs) {
    before.reversed.emplace(run.order, run.outcomes);
    before.runs += run.runs;
  }
  return {};
}

/// Those that are to be repaired are judged by what they do here alone.
void take_known(BeforePatches& before, const std::set<std::string>& wavering) {
  for (const std::string& test : wavering) {
    if (before.suite.find(test) && !before.goals.contains(test)) before.wavering.insert(test);
  }
}

/// A patch for another test must not take from a brittle one what it passes with.
Status measure_passing(Workspace& workspace, const std::vector<NamedDependence>& dependences,
                       BeforePatches& before, int confirmations) {
  std::vector<Names> orders;
  for (const NamedDependence& dependence : dependences) {
    if (dependence.role == Role::brittle) orders.push_back(dependence.witness);
  }
  auto runs = run_repeatedly(workspace, before.suite, orders, confirmations);
  if (!runs) return runs.error();
  for (const Repeated& run : *runs) {
    const bool passes = run.steady.back() && run.outcomes.back().kind == OutcomeKind::pass;
    if (passes) before.passing.push_back(run.order);
    before.runs += run.runs;
  }
  return {};
}

}  // namespace

Names reversed(const NamedDependence& dependence) {
  Names order = {dependence.test};
  order.insert(order.end(), dependence.by.begin(), dependence.by.end());
  return order;
}

Result<std::vector<Repeated>> run_repeatedly(Workspace& workspace, const Suite& suite,
                                             const std::vector<Names>& orders, int times) {
  const Declared declared(suite);
  std::vector<Names> complete;
  std::vector<std::vector<std::size_t>> places;
  for (const Names& order : orders) {
    auto completed = declared.complete(ids_of(suite, order));
    for (int i = 0; i < times; ++i) complete.push_back(names_of(suite, completed.order));
    places.push_back(std::move(completed.places));
  }
  auto runs = workspace.run(complete);
  if (!runs) return runs.error();
  std::vector<Repeated> results;
  for (std::size_t o = 0; o < orders.size(); ++o) {
    Repeated result{orders[o], {}, std::vector<bool>(orders[o].size(), true), times};
    for (std::size_t at = 0; at < orders[o].size(); ++at) {
      auto outcome = [&](int time) -> const Outcome& {
        const std::size_t run =
            o * static_cast<std::size_t>(times) + static_cast<std::size_t>(time);
        return (*runs)[run].runs[places[o][at]].outcome;
      };
      result.outcomes.push_back(outcome(0));
      for (int time = 1; time < times; ++time) {
        if (wavers(outcome(0), outcome(time))) result.steady[at] = false;
      }
    }
    results.push_back(std::move(result));
  }
  return results;
}

bool same_after(const Outcome& before, const Outcome& after,
                const std::set<std::string>& changed_files) {
  if (same_result(before, after)) return true;
  if (before.kind != after.kind || !is_among(after.file, changed_files)) return false;
  Outcome moved = after;
  moved.line = before.line;
  return same_result(before, moved);
}

const Outcome& BeforePatches::usual(const std::string& test) const {
  const auto goal = goals.find(test);
  return goal != goals.end() ? goal->second : expected.at(test);
}

bool BeforePatches::is_fine(const std::string& test, const Outcome& outcome,
                            const std::set<std::string>& changed_files) const {
  if (wavering.contains(test)) return true;
  if (same_after(usual(test), outcome, changed_files)) return true;
  // A test that skips where it passed checks nothing any more.
  if (usual(test).kind == OutcomeKind::pass) return false;
  // A victim that failed in the default order and does what it does alone is repaired too.
  const auto by_itself = alone.find(test);
  return by_itself != alone.end() && !is_failure(outcome.kind) &&
         same_after(by_itself->second, outcome, changed_files);
}

Result<BeforePatches> measure_before(Workspace& workspace,
                                     const std::vector<NamedDependence>& dependences,
                                     const CheckOptions& options) {
  auto suite = workspace.suite();
  if (!suite) return suite.error();
  BeforePatches before;
  before.suite = *suite;
  before.order = names_of(*suite, suite->default_order());
  for (const NamedDependence& dependence : dependences) {
    for (const std::string& test : dependence.witness) {
      if (suite->find(test)) continue;
      return Error{ErrorKind::no_match, "the program has no test " + test + " any more",
                   "the sources have changed since: run gordian detect again"};
    }
    if (dependence.has_goal()) before.goals.emplace(dependence.test, dependence.goal());
  }
  Status measured = measure_results(workspace, before, options.confirmations);
  if (measured) measured = measure_reversed(workspace, dependences, before);
  if (measured) {
    measured = measure_passing(workspace, dependences, before, options.confirmations);
  }
  if (!measured) return measured.error();
  make_random_orders(before, options);
  take_known(before, options.wavering);
  auto random = run_random(workspace, before, {}, options.confirmations);
  if (!random) return random.error();
  before.symptoms = std::move(random->symptoms);
  for (const auto& [test, order] : random->wavering) before.wavering.insert(test);
  before.runs += random->runs;
  return before;
}

Result<RandomRuns> run_random(Workspace& workspace, const BeforePatches& before,
                              const std::set<std::string>& changed_files, int confirmations) {
  RandomRuns result;
  auto once = run_repeatedly(workspace, before.suite, before.random_orders, 1);
  if (!once) return once.error();
  auto differs = [&](const std::string& test, const Outcome& outcome) {
    return is_known(outcome) && !before.is_fine(test, outcome, changed_files);
  };
  std::vector<Names> again;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < once->size(); ++i) {
    const Repeated& run = (*once)[i];
    result.runs += run.runs;
    bool any = false;
    for (std::size_t at = 0; at < run.order.size(); ++at) {
      any = any || differs(run.order[at], run.outcomes[at]);
      if (!is_known(run.outcomes[at])) result.symptoms.unseen[run.order[at]].insert(i);
    }
    if (!any) continue;
    again.push_back(run.order);
    which.push_back(i);
  }
  auto repeated = run_repeatedly(workspace, before.suite, again, std::max(2, confirmations));
  if (!repeated) return repeated.error();
  for (std::size_t i = 0; i < repeated->size(); ++i) {
    const Repeated& run = (*repeated)[i];
    result.runs += run.runs;
    for (std::size_t at = 0; at < run.order.size(); ++at) {
      const std::string& test = run.order[at];
      const Outcome& first = (*once)[which[i]].outcomes[at];
      const bool as_first = !differs(test, first) || !wavers(first, run.outcomes[at]);
      if ((!run.steady[at] || !as_first) && !before.wavering.contains(test)) {
        result.wavering.emplace(test, run.order);
      }
      if (!run.steady[at] || !differs(test, run.outcomes[at])) continue;
      result.symptoms.differing[test].insert(which[i]);
      result.examples.emplace(test,
                              RandomRuns::Example{before.random_specs[which[i]], run.outcomes[at]});
    }
  }
  for (const auto& [test, order] : result.wavering) result.symptoms.differing.erase(test);
  return result;
}

}  // namespace gordian
