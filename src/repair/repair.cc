// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/repair.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "repair/commit_text.h"
#include "repair/patch_bench.h"

namespace gordian {
namespace {

// Which dependence is looked at when: brittle tests first, then those that share a state, then one
// after another, and again while patches are accepted.

constexpr std::size_t kShared = 3;  // polluters of one state, from which one listener is better
constexpr int kRounds = 3;

/// With it the witness still shows the dependence: so it will if fewer other tests are changed.
bool leaves_witness(const RepairAttempt& attempt) {
  return std::any_of(attempt.checks.begin(), attempt.checks.end(), [](const RepairCheck& check) {
    return check.kind == CheckKind::witness && !check.passed;
  });
}

/// It does for the dependence what it can; in random orders something else still makes it fail.
bool waits_for_others(const PatchBench::Tried& tried) {
  return tried.attempt.verdict == RepairVerdict::partly && tried.still_by.empty() &&
         tried.attempt.patch.strategy != Strategy::declare;
}

std::vector<NamedDependence> named_all(const Suite& suite,
                                       const std::vector<Dependence>& dependences) {
  std::vector<NamedDependence> names;
  for (const Dependence& one : dependences) names.push_back(named(suite, one));
  return names;
}

/// REQUIRES: all that is given outlives it.
class Repairer {
 public:
  Repairer(const Suite& suite, const std::vector<Dependence>& dependences, PatchBench& bench,
           const BeforePatches& before, const RepairOptions& options, RepairListener& listener)
      : suite_(suite),
        dependences_(dependences),
        bench_(bench),
        before_(before),
        options_(options),
        listener_(listener),
        named_(named_all(suite, dependences)),
        done_(dependences.size()),
        climbs_(dependences.size()) {
    for (const NamedDependence& one : named_) repairs_.emplace_back().dependence = one.id;
  }

  /// Again while a patch was accepted: what was in the way before may not be any more.
  Status run() {
    if (Status begun = begin(); !begun) return begun;
    for (int i = 0; i < kRounds; ++i) {
      const auto done_before = done_;
      may_put_off_ = i + 1 < kRounds;
      if (Status done = round(); !done) return done;
      if (done_ != done_before) continue;
      if (Status done = climb_on(); !done) return done;
      if (done_ == done_before) break;
    }
    for (std::size_t i = 0; i < dependences_.size(); ++i) {
      if (!done_[i]) listener_.repaired(dependences_[i], repairs_[i]);
    }
    return {};
  }

  std::vector<Repair> take_repairs() { return std::move(repairs_); }

 private:
  /// How far the ladder was climbed on top of what is accepted now.
  struct Climb {
    std::optional<PatchBench::Tried> best;
    std::set<std::string> hopeless;  ///< ways that leave the witness as it is
    bool put_off = false;
  };

  /// What cannot be repaired since it cannot be seen.
  Status begin() {
    for (std::size_t i = 0; i < dependences_.size(); ++i) {
      if (before_.wavering.contains(named_[i].test)) {
        end_without(i, "its result is not the same each time an order is repeated");
        continue;
      }
      if (!named_[i].has_goal()) {
        end_without(i, "it passes in no order that was seen: a patch has nothing to make of it");
        continue;
      }
      auto shows = bench_.still_shows(named_[i]);
      if (!shows) return shows.error();
      if (shows->any()) continue;
      end_without(i, "it does not show in the program built from the sources as they are now");
    }
    return {};
  }

  /// Brittle tests first: what puts state back around others would make them fail always.
  Status round() {
    for (const bool brittle : {true, false}) {
      for (std::size_t i = 0; i < dependences_.size(); ++i) {
        if (done_[i] || (dependences_[i].role == Role::brittle) != brittle) continue;
        if (Status done = repair_one(i); !done) return done;
      }
      if (!brittle) continue;
      for (const auto& group : groups()) {
        if (Status done = repair_together(group); !done) return done;
      }
    }
    return {};
  }

  /// The rest of the ladders that were put off, when no patch for another came to help.
  Status climb_on() {
    may_put_off_ = false;
    for (std::size_t i = 0; i < dependences_.size(); ++i) {
      if (done_[i] || !climbs_[i].put_off) continue;
      if (Status done = repair_one(i); !done) return done;
    }
    return {};
  }

  Status repair_one(std::size_t i) {
    listener_.step(dependences_[i], "looking for a patch");
    if (Status climbed = climb(i); !climbed) return climbed;
    if (done_[i]) listener_.repaired(dependences_[i], repairs_[i]);
    return {};
  }

  Status climb(std::size_t i) {
    if (Status built = bench_.build_accepted(); !built) return built;
    auto now = as_it_is_now(i);
    if (!now) return now.error();
    const NamedDependence named_now = named(suite_, *now);
    auto task = bench_.look_at(suite_, *now, bench_.accepted());
    if (!task) return task.error();
    const Proposals proposals = bench_.propose(*task);
    repairs_[i].inapplicable = proposals.inapplicable;
    Climb& climb = climbs_[i];
    climb.put_off = false;
    for (const Proposal& proposal : proposals.ladder) {
      if (options_.should_stop()) return Error{ErrorKind::interrupted, "interrupted", ""};
      if (!proposal.way.empty() && climb.hopeless.contains(proposal.way)) continue;
      auto tried = bench_.attempt(*task, named_now, proposal);
      if (!tried) return tried.error();
      if (!*tried) continue;
      if (!(*tried)->still_by.empty()) {
        auto more = bench_.extend(suite_, *now, named_now, std::move(**tried));
        if (!more) return more.error();
        *tried = std::move(*more);
      }
      record(i, **tried);
      if ((*tried)->attempt.verdict == RepairVerdict::verified) {
        accept(i, **tried);
        return note_gone(i);
      }
      if (leaves_witness((*tried)->attempt)) climb.hopeless.insert(proposal.way);
      climb.put_off = is_put_off(i, **tried);
      const bool counts = (*tried)->attempt.verdict == RepairVerdict::partly;
      if (counts && !climb.best) climb.best = std::move(**tried);
      if (climb.put_off) return {};
    }
    return end_of_ladder(i, proposals);
  }

  /// Whether to leave the rest of the ladder for later: a patch for another dependence may be all
  /// that this one lacks.
  bool is_put_off(std::size_t i, const PatchBench::Tried& tried) const {
    if (!may_put_off_ || !waits_for_others(tried)) return false;
    for (std::size_t other = 0; other < done_.size(); ++other) {
      if (other != i && !done_[other]) return true;
    }
    return false;
  }

  Status end_of_ladder(std::size_t i, const Proposals& proposals) {
    const std::optional<PatchBench::Tried> best = climbs_[i].best;
    if (best && options_.accept_partly) {
      accept(i, *best);
      return note_gone(i);
    }
    if (best) {
      give_up(i, "the best patch does not do all of it: " + best->attempt.why);
    } else if (proposals.ladder.empty()) {
      give_up(i, proposals.inapplicable.empty() ? "no strategy has anything to offer"
                                                : proposals.inapplicable.front().why);
    } else if (!repairs_[i].attempts.empty()) {
      give_up(i, "no patch stood the checks; the last one: " + repairs_[i].attempts.back().why);
    }
    return {};
  }

  Status repair_together(const std::vector<std::size_t>& group) {
    if (Status built = bench_.build_accepted(); !built) return built;
    std::vector<RepairTask> tasks;
    for (std::size_t i : group) {
      auto task = bench_.look_at(suite_, dependences_[i], bench_.accepted());
      if (!task) return task.error();
      tasks.push_back(std::move(*task));
    }
    const std::size_t first = group.front();
    for (const Proposal& proposal : bench_.propose_for_all(tasks).ladder) {
      auto tried = bench_.attempt(tasks.front(), named_[first], proposal);
      if (!tried) return tried.error();
      if (!*tried) continue;
      record(first, **tried);
      if ((*tried)->attempt.verdict != RepairVerdict::verified) continue;
      accept(first, **tried);
      listener_.repaired(dependences_[first], repairs_[first]);
      return note_gone(first);
    }
    return {};
  }

  /// Dependences that are left and have a state in common.
  std::vector<std::vector<std::size_t>> groups() const {
    std::map<std::pair<std::string, StateKey>, std::vector<std::size_t>> by_state;
    for (std::size_t i = 0; i < dependences_.size(); ++i) {
      if (done_[i] || dependences_[i].role == Role::brittle) continue;
      for (const Carrier& carrier : dependences_[i].explained().carriers) {
        auto& group = by_state[{carrier.key.text(), carrier.key}];
        if (group.empty() || group.back() != i) group.push_back(i);
      }
    }
    std::vector<std::vector<std::size_t>> large;
    for (auto& [state, group] : by_state) {
      if (group.size() >= kShared && polluters_of(group) >= kShared) {
        large.push_back(std::move(group));
      }
    }
    return large;
  }

  /// One guard in the only polluter of many tests is less than a listener.
  std::size_t polluters_of(const std::vector<std::size_t>& group) const {
    std::set<std::string> tests;
    for (const std::size_t i : group) {
      tests.insert(named_[i].by.begin(), named_[i].by.end());
      tests.insert(named_[i].singles.begin(), named_[i].singles.end());
    }
    return tests.size();
  }

  /// The dependence without those polluters that accepted patches have tamed.
  Result<Dependence> as_it_is_now(std::size_t i) {
    Dependence now = dependences_[i];
    if (!bench_.has_accepted() || now.role != Role::victim) return now;
    auto shows = bench_.still_shows(named_[i]);
    if (!shows) return shows.error();
    Order left;
    for (const std::string& name : shows->singles) {
      if (const auto id = suite_.find(name)) left.push_back(*id);
    }
    if (!shows->in_witness && !left.empty()) now = behind_another(now, left.front());
    now.singles = std::move(left);
    return now;
  }

  /// Which dependences a patch has taken away with its own.
  Status note_gone(std::size_t by) {
    for (std::size_t i = 0; i < dependences_.size(); ++i) {
      if (done_[i]) continue;
      auto shows = bench_.still_shows(named_[i]);
      if (!shows) return shows.error();
      if (shows->any()) continue;
      done_[i] = true;
      bench_.note_gone(named_[i]);
      repairs_[i].gone_by = named_[by].id;
      repairs_[i].why_not.clear();
      listener_.repaired(dependences_[i], repairs_[i]);
    }
    return {};
  }

  void accept(std::size_t i, const PatchBench::Tried& tried) {
    bench_.accept(tried, named_[i]);
    climbs_.assign(climbs_.size(), {});
    done_[i] = true;
    repairs_[i].why_not.clear();
    const auto& attempts = repairs_[i].attempts;
    for (std::size_t a = 0; a < attempts.size(); ++a) {
      if (attempts[a].patch.diff == tried.attempt.patch.diff) repairs_[i].accepted = a;
    }
  }

  void give_up(std::size_t i, std::string why) { repairs_[i].why_not = std::move(why); }

  void end_without(std::size_t i, std::string why) {
    give_up(i, std::move(why));
    done_[i] = true;
    listener_.repaired(dependences_[i], repairs_[i]);
  }

  void record(std::size_t i, const PatchBench::Tried& tried) {
    repairs_[i].attempts.push_back(tried.attempt);
    listener_.attempted(dependences_[i], tried.attempt);
  }

  const Suite& suite_;
  const std::vector<Dependence>& dependences_;
  PatchBench& bench_;
  const BeforePatches& before_;
  const RepairOptions& options_;
  RepairListener& listener_;
  std::vector<NamedDependence> named_;
  std::vector<Repair> repairs_;
  std::vector<bool> done_;
  std::vector<Climb> climbs_;
  bool may_put_off_ = true;
};

/// Interrupted: what was accepted stands.
bool is_interrupt(const Status& status) {
  return !status && status.error().kind == ErrorKind::interrupted;
}

Status build_as_it_is(Workspace& workspace, const ChangedFiles& base, RepairListener& listener) {
  listener.phase("building the project as it is");
  auto built =
      workspace.build(base, [&listener](std::string_view line) { listener.build_line(line); });
  if (!built) return built.error();
  if (built->succeeded) return {};
  return target_error("the project does not build as it is: " + built->first_error,
                      "make `" + workspace.project().build_command +
                          "` work first, or say how it is built with --build");
}

std::string message_of(const std::vector<Repair>& repairs) {
  std::vector<const Patch*> patches;
  for (const Repair& repair : repairs) {
    if (repair.accepted) patches.push_back(&repair.attempts[*repair.accepted].patch);
  }
  return combined_message(patches);
}

/// All that was accepted, once more as a whole.
Status finish(PatchBench& bench, const BeforePatches& before, RepairListener& listener,
              RepairResult& result) {
  result.files = bench.accepted();
  result.diff = unified_diff(result.files, bench.root());
  result.commit_message = message_of(result.repairs);
  result.failing_before = result.failing_after = static_cast<int>(before.symptoms.differing.size());
  result.random_orders = static_cast<int>(before.random_orders.size());
  if (result.files.empty() || result.interrupted) return {};
  listener.phase("checking all patches together");
  auto verified = bench.verify_all();
  if (!verified) return verified.error();
  result.checks = std::move(verified->checks);
  result.failing_after = static_cast<int>(verified->symptoms.differing.size());
  return {};
}

}  // namespace

Result<RepairResult> repair(const Suite& suite, const std::vector<Dependence>& dependences,
                            Workspace& workspace, const FactsOf& facts_of,
                            const RepairOptions& options, RepairListener& listener,
                            const RepairLadder& ladder) {
  if (Status built = build_as_it_is(workspace, options.base, listener); !built) {
    return built.error();
  }
  listener.phase("running the tests as they are, in the default order and in random ones");
  auto before = measure_before(workspace, named_all(suite, dependences), options);
  if (!before) return before.error();
  PatchBench bench(workspace, *before, facts_of, options, ladder, listener);
  Repairer repairer(suite, dependences, bench, *before, options, listener);
  const Status ran = repairer.run();
  if (!ran && !is_interrupt(ran)) return ran.error();
  RepairResult result;
  result.interrupted = is_interrupt(ran);
  result.repairs = repairer.take_repairs();
  const Status finished = finish(bench, *before, listener, result);
  if (is_interrupt(finished)) result.interrupted = true;
  if (!finished && !is_interrupt(finished)) return finished.error();
  return result;
}

}  // namespace gordian
