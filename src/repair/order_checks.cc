// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Checks of a patch by runs of orders.
#include <fmt/format.h>

#include <algorithm>

#include "repair/patch_checks.h"

namespace gordian {
namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// "fail at a.cc:3 (Expected equality ...)"
std::string words_of(const Outcome& outcome) {
  std::string text(to_string(outcome.kind));
  if (outcome.kind == OutcomeKind::crash) text += fmt::format(" (signal {})", outcome.signal);
  if (outcome.kind == OutcomeKind::exit) text += fmt::format(" (code {})", outcome.exit_code);
  if (!outcome.file.empty()) text += fmt::format(" at {}:{}", outcome.file, outcome.line);
  if (!outcome.message.empty()) text += " (" + first_line(outcome.message) + ")";
  return text;
}

std::string order_words(const Names& order) {
  constexpr std::size_t kMost = 8;
  std::string text;
  const std::size_t from = order.size() > kMost ? order.size() - kMost : 0;
  if (from > 0) text = fmt::format("... {} tests, ", from);
  for (std::size_t i = from; i < order.size(); ++i) text += (i > from ? ", " : "") + order[i];
  return text;
}

std::string seen_in_place_of(const std::string& test, const Outcome& seen, const Outcome& wanted,
                             const std::string& order) {
  return fmt::format("{}: {} in place of {}; order: {}", test, words_of(seen), words_of(wanted),
                     order);
}

}  // namespace

template <class Good, class Wanted>
void PatchChecks::judge(RepairCheck& check, const Repeated& run, const Good& good,
                        const Wanted& wanted) {
  check.runs += run.runs;
  for (std::size_t at = 0; at < run.order.size(); ++at) {
    const std::string& test = run.order[at];
    if (c_.before.wavering.contains(test)) continue;
    const Names so_far(run.order.begin(), run.order.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    if (!run.steady[at]) {
      fail(check,
           fmt::format("{}: not the same result each time; order: {}", test, order_words(so_far)));
    } else if (!good(at, run.outcomes[at])) {
      fail(check, seen_in_place_of(test, run.outcomes[at], wanted(at), order_words(so_far)));
    }
  }
}

void PatchChecks::judge_goal(RepairCheck& check, const Repeated& run, const NamedDependence& d) {
  const std::size_t last = run.order.size() - 1;
  judge(
      check, run,
      [&](std::size_t at, const Outcome& o) {
        return at != last || same_after(d.goal(), o, changed_);
      },
      [&](std::size_t) { return d.goal(); });
}

Status PatchChecks::build_again(const ChangedFiles& files) {
  auto built = c_.workspace.build(files, tell_);
  if (!built) return built.error();
  if (built->succeeded) return {};
  return internal_error("the copy does not build any more: " + built->first_error);
}

/// Never those that are to be repaired: a patch has to make them steady.
Status PatchChecks::clear(const Suspects& suspects, RepairCheck& check) {
  std::vector<Names> orders;
  std::vector<std::string> tests;
  for (const auto& [test, order] : suspects) {
    if (c_.before.wavering.contains(test) || c_.before.goals.contains(test)) continue;
    orders.push_back(order);
    tests.push_back(test);
  }
  if (orders.empty()) return {};
  if (Status built = build_again(c_.base); !built) return built;
  auto runs = run_repeatedly(c_.workspace, c_.before.suite, orders,
                             std::max(2, c_.options.confirmations) + 1);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const Repeated& run = (*runs)[i];
    check.runs += run.runs;
    const auto at = std::find(run.order.begin(), run.order.end(), tests[i]) - run.order.begin();
    if (!run.steady[static_cast<std::size_t>(at)]) c_.before.wavering.insert(tests[i]);
  }
  return build_again(files_);
}

Status PatchChecks::check_witness(const NamedDependence& d) {
  RepairCheck& check = begin(CheckKind::witness);
  auto runs = run({d.witness});
  if (!runs) return runs.error();
  judge_goal(check, runs->front(), d);
  if (!check.passed) {
    end(RepairVerdict::rejected, "the dependence is still there: " + check.detail);
  }
  return {};
}

Status PatchChecks::check_alone(const NamedDependence* d) {
  RepairCheck& check = begin(CheckKind::alone);
  std::vector<Names> orders;
  if (d != nullptr) orders.push_back({d->test});
  for (const std::string& test : d == nullptr ? Names{} : d->by) {
    if (test != d->test) orders.push_back({test});
  }
  auto runs = run(orders);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const std::string& test = orders[i].front();
    const auto before = c_.before.alone.find(test);
    const Outcome& wanted =
        i == 0 || before == c_.before.alone.end() ? c_.before.usual(test) : before->second;
    judge(
        check, (*runs)[i],
        [&](std::size_t, const Outcome& o) {
          return same_after(wanted, o, changed_) || c_.before.is_fine(test, o, changed_);
        },
        [&](std::size_t) { return wanted; });
  }
  if (check.passed) {
    if (Status done = check_others_alone(check, orders); !done) return done;
  }
  if (!check.passed) reject(check);
  return {};
}

/// Each test that passed by itself, once; those that do not pass now, as often as it takes.
Status PatchChecks::check_others_alone(RepairCheck& check, const std::vector<Names>& checked) {
  std::vector<Names> orders;
  for (const auto& [test, outcome] : c_.before.alone) {
    const bool done = std::find(checked.begin(), checked.end(), Names{test}) != checked.end();
    const bool counts = outcome.kind == OutcomeKind::pass && !c_.before.wavering.contains(test);
    if (counts && !done) orders.push_back({test});
  }
  auto once = run_repeatedly(c_.workspace, c_.before.suite, orders, 1);
  if (!once) return once.error();
  std::vector<Names> again;
  Suspects suspects;
  for (const Repeated& run : *once) {
    check.runs += run.runs;
    if (run.outcomes.front().kind != OutcomeKind::pass) again.push_back(run.order);
  }
  auto runs = run(again);
  if (!runs) return runs.error();
  for (const Repeated& run : *runs) {
    const bool fails_always = run.steady.front() && run.outcomes.front().kind != OutcomeKind::pass;
    if (!fails_always) suspects.emplace(run.order.front(), run.order);
  }
  if (Status cleared = clear(suspects, check); !cleared) return cleared;
  for (const Repeated& run : *runs) {
    judge(
        check, run,
        [&](std::size_t, const Outcome& o) {
          return !suspects.contains(run.order.front()) && o.kind == OutcomeKind::pass;
        },
        [&](std::size_t) { return c_.before.alone.at(run.order.front()); });
  }
  return {};
}

/// Whoever else is brittle goes on passing behind what sets its state.
Status PatchChecks::check_passing(const NamedDependence* d) {
  std::vector<Names> orders = c_.before.passing;
  if (d != nullptr) std::erase(orders, d->witness);
  if (orders.empty()) return {};
  RepairCheck& check = begin(CheckKind::other_witnesses);
  auto runs = run(orders);
  if (!runs) return runs.error();
  for (const Repeated& run : *runs) {
    const std::size_t last = run.order.size() - 1;
    judge(
        check, run,
        [&](std::size_t at, const Outcome& o) { return at != last || o.kind == OutcomeKind::pass; },
        [&](std::size_t at) { return c_.before.usual(run.order[at]); });
  }
  if (!check.passed) reject(check);
  return {};
}

/// What an accepted patch has achieved stays: behind the tests that it depended on, and alone.
Status PatchChecks::check_repaired(const std::vector<NamedDependence>& repaired) {
  if (repaired.empty()) return {};
  RepairCheck& check = begin(CheckKind::repaired_before);
  std::vector<Names> orders;
  for (const NamedDependence& d : repaired) {
    orders.push_back(d.witness);
    orders.push_back({d.test});
  }
  auto runs = run(orders);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < runs->size(); ++i) {
    judge_goal(check, (*runs)[i], repaired[i / 2]);
  }
  if (!check.passed) reject(check);
  return {};
}

/// Others that are enough to disturb a victim. Not harm: the patch just does not reach them.
Status PatchChecks::check_singles(const NamedDependence& d) {
  std::vector<Names> orders;
  for (const std::string& single : d.singles) {
    if (d.role == Role::victim && single != d.test && Names{single} != d.by) {
      orders.push_back({single, d.test});
    }
  }
  if (orders.empty()) return {};
  RepairCheck& check = begin(CheckKind::other_tests);
  auto runs = run(orders);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < runs->size(); ++i) {
    RepairCheck one;
    one.passed = true;
    judge_goal(one, (*runs)[i], d);
    check.runs += one.runs;
    if (one.passed) continue;
    result_.still_by.push_back(orders[i].front());
    fail(check, one.detail);
  }
  if (!check.passed) {
    leave_partly(
        fmt::format("{} still depends on {}: {}", d.test, result_.still_by.front(), check.detail));
  }
  return {};
}

/// Those behind the test may depend on it in turn: what they did so before is no harm, as long as
/// random orders still show it.
Status PatchChecks::check_reversed(const NamedDependence& d, const Symptoms& reference) {
  if (d.role == Role::self_dependent) return {};
  RepairCheck& check = begin(CheckKind::reversed);
  const Names order = reversed(d);
  auto runs = run({order});
  if (!runs) return runs.error();
  const auto before = c_.before.reversed.find(order);
  const auto as_before = [&](std::size_t at, const Outcome& o) {
    return at > 0 && before != c_.before.reversed.end() &&
           reference.differing.contains(order[at]) && same_after(before->second[at], o, changed_);
  };
  const auto wanted = [&](std::size_t at) { return c_.before.usual(order[at]); };
  judge(
      check, runs->front(),
      [&](std::size_t at, const Outcome& o) {
        const auto alone = c_.before.alone.find(order[at]);
        return c_.before.is_fine(order[at], o, changed_) || as_before(at, o) ||
               (alone != c_.before.alone.end() && at > 0 && same_after(alone->second, o, changed_));
      },
      wanted);
  if (!check.passed) reject(check);
  return {};
}

Status PatchChecks::check_default_order() {
  RepairCheck& check = begin(CheckKind::default_order);
  auto runs = run({c_.before.order});
  if (!runs) return runs.error();
  Suspects suspects;
  for (std::size_t at = 0; at < c_.before.order.size(); ++at) {
    if (!runs->front().steady[at]) suspects.emplace(c_.before.order[at], c_.before.order);
  }
  if (Status cleared = clear(suspects, check); !cleared) return cleared;
  const auto wanted = [&](std::size_t at) { return c_.before.expected.at(c_.before.order[at]); };
  judge(
      check, runs->front(),
      [&](std::size_t at, const Outcome& o) {
        return same_after(wanted(at), o, changed_) ||
               c_.before.is_fine(c_.before.order[at], o, changed_);
      },
      wanted);
  if (!check.passed) reject(check);
  return {};
}

namespace {

std::set<std::size_t> orders_of(const Symptoms::Orders& orders, const std::string& test) {
  const auto found = orders.find(test);
  return found == orders.end() ? std::set<std::size_t>() : found->second;
}

std::size_t count_without(const std::set<std::size_t>& orders,
                          const std::set<std::size_t>& without) {
  return static_cast<std::size_t>(std::count_if(
      orders.begin(), orders.end(), [&](std::size_t order) { return !without.contains(order); }));
}

}  // namespace

/// Where a crash came before it, nobody knows what a test would have done: that it is seen there
/// now, with the crash gone, is no harm.
Status PatchChecks::check_random_orders(const std::string& test, const Symptoms& reference) {
  RepairCheck& check = begin(CheckKind::random_orders);
  auto random = run_random(c_.workspace, c_.before, changed_, c_.options.confirmations);
  if (!random) return random.error();
  check.runs = random->runs;
  if (Status cleared = clear(random->wavering, check); !cleared) return cleared;
  result_.symptoms = random->symptoms;
  for (const auto& [name, now] : random->symptoms.differing) {
    const std::size_t before = orders_of(reference.differing, name).size();
    const RandomRuns::Example& example = random->examples.at(name);
    const std::string detail =
        fmt::format("differs in {} of {} random orders, {} before: {}", now.size(),
                    c_.before.random_orders.size(), before,
                    seen_in_place_of(name, example.seen, c_.before.usual(name), example.order));
    if (name != test && count_without(now, orders_of(reference.unseen, name)) > before) {
      check.passed = false;
      check.detail = "it makes " + name + " worse, which " + detail;
      reject(check);
      return {};
    }
    if (name == test) {
      fail(check, name + " still " + detail);
      leave_partly(check.detail);
    }
  }
  for (const auto& [name, order] : random->wavering) {
    if (c_.before.wavering.contains(name)) continue;
    fail(check, name + " does not give the same result each time any more");
    leave_partly(check.detail);
  }
  return {};
}

}  // namespace gordian
