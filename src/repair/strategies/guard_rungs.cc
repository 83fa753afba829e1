// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The rungs that put state back when the polluter ends. All known polluters of the victim are
// guarded in one patch, since a guard puts back what was there before its own test; the patch for
// the one of the witness alone comes second.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "repair/strategies/guard.h"
#include "repair/strategies/offers.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

using Way = Guards (*)(const Scene&, const Subject&, const Place&);

Way way_of(Strategy strategy) {
  constexpr std::array<std::pair<Strategy, Way>, 6> kWays = {
      {{Strategy::own_reset, reset_guards},
       {Strategy::process, process_guards},
       {Strategy::property, property_guards},
       {Strategy::fresh, fresh_guards},
       {Strategy::members, member_guards},
       {Strategy::accessor, accessor_guards}}};
  for (const auto& [of, way] : kWays) {
    if (of == strategy) return way;
  }
  return restore_guards;
}

/// Of several states that carry a dependence together, those that this rung cannot serve are left
/// to the others.
Guards ways_for(Way first, const Scene& scene, const Subject& subject, const Place& place,
                bool& by_first) {
  Guards own = first(scene, subject, place);
  by_first = !own.ways.empty();
  for (const Way other :
       {restore_guards, process_guards, property_guards, fresh_guards, member_guards}) {
    if (!own.ways.empty()) break;
    own.ways = other(scene, subject, place).ways;
  }
  return own;
}

struct Plan {
  std::vector<TestId> tests;
  std::string set;         ///< which set of states, for Proposal::way
  std::size_t choice = 0;  ///< which of the ways
};

/// Than the file of the test.
bool changes_more(const Guard& guard, const Place& place) {
  return std::any_of(guard.product.edits.begin(), guard.product.edits.end(),
                     [&](const Edit& edit) { return edit.file != place.file; });
}

struct Sentence {
  std::vector<std::string> meanwhile, at_end, where;
  std::string reason;

  void add(const Guard& guard, const Place& place) {
    add_once(guard.meanwhile ? meanwhile : at_end, guard.does);
    add_once(where, place.name);
    if (reason.empty()) reason = guard.reason;
  }
  /// "uses a copy of *a while B runs", "puts a back when B and C end".
  std::string text() const {
    const bool one = where.size() == 1;
    if (at_end.empty())
      return enumeration(meanwhile) + " while " + enumeration(where) + (one ? " runs" : " run");
    std::vector<std::string> all = meanwhile;
    all.insert(all.end(), at_end.begin(), at_end.end());
    return enumeration(all) + " when " + enumeration(where) + (one ? " ends" : " end");
  }
};

/// How many ways there were at most; 0: none that this rung itself brings.
std::size_t offer_plan(Offers& offers, const std::vector<Subject>& set, const Plan& plan) {
  const Scene& scene = offers.scene();
  const Places places = scene.places(plan.tests, set);
  if (places.places.empty()) {
    offers.no(places.why_not);
    return 0;
  }
  Draft draft(scene);
  Sentence sentence;
  bool served = false, product = false, last_choice = false;
  std::size_t most = 0;
  for (const Place& place : places.places) {
    for (const Subject& subject : set) {
      bool own = false;
      const Guards guards = ways_for(way_of(offers.strategy()), scene, subject, place, own);
      if (!own) offers.no(guards.why_not);
      if (guards.ways.empty()) return 0;
      served = served || own;
      const Guard& guard = guards.ways[std::min(plan.choice, guards.ways.size() - 1)];
      most = std::max(most, guards.ways.size());
      product = product || changes_more(guard, place);
      last_choice = last_choice || guard.last_choice;
      draft.add(guard, place);
      sentence.add(guard, place);
    }
  }
  if (!served) return 0;
  if (sentence.reason.empty()) {
    sentence.reason =
        "A guard does so also when the test ends early, by a failed check or an exception.";
  }
  if (Proposal* kept = offers.add(draft, sentence.text(), sentence.reason)) {
    kept->product_code = product;
    kept->last_choice = last_choice;
    kept->way = fmt::format("{} {} {}", to_string(offers.strategy()), plan.set, plan.choice);
  }
  return most;
}

void offer_all_ways(Offers& offers, const std::vector<Subject>& set, Plan plan) {
  std::size_t ways = 1;
  for (plan.choice = 0; plan.choice < ways; ++plan.choice) {
    ways = std::max(ways, offer_plan(offers, set, plan));
  }
}

}  // namespace

void offer_guards(Offers& offers) {
  const Scene& scene = offers.scene();
  if (scene.brittle()) {
    return offers.no(scene.title(scene.dependence().test) +
                     " needs a state that another test leaves: there is nothing to put back");
  }
  if (scene.sets().empty()) return offers.no("the state that carries the dependence is not known");
  for (const auto& set : scene.sets()) {
    const std::vector<TestId> all = scene.polluters(set), witness = scene.writers(set);
    const std::string name = phrase(set.front());
    offer_all_ways(offers, set, {all, name});
    if (all.size() > witness.size()) offer_all_ways(offers, set, {witness, name});
  }
}

}  // namespace gordian::strategies
