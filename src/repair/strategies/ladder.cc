// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The one table of rungs.
#include <algorithm>
#include <deque>

#include "repair/strategies/offers.h"

namespace gordian {
namespace {

using strategies::Offers;

struct Rung {
  Strategy strategy;
  void (*offer)(Offers&);
};

const Rung kLadder[] = {
    {Strategy::own_reset, strategies::offer_guards},
    {Strategy::restore, strategies::offer_guards},
    {Strategy::process, strategies::offer_guards},
    {Strategy::property, strategies::offer_guards},
    {Strategy::fresh, strategies::offer_guards},
    {Strategy::members, strategies::offer_guards},
    {Strategy::copy_setter, strategies::offer_setter},
    {Strategy::cleaner, strategies::offer_cleaner},
    {Strategy::paper, strategies::offer_initial_value},
    {Strategy::listener, strategies::offer_listener},
    {Strategy::accessor, strategies::offer_guards},
    {Strategy::declare, strategies::offer_declaration},
};

bool asked_for(const StrategyOptions& options, Strategy strategy) {
  const auto& only = options.only;
  return only.empty() || std::find(only.begin(), only.end(), strategy) != only.end();
}

/// So many places to guard are better served by one listener.
constexpr std::size_t kMany = 8;

bool has_many_places(const strategies::Scene& scene) {
  if (scene.brittle() || scene.sets().empty()) return false;
  const auto& set = scene.sets().front();
  return scene.places(scene.polluters(set), set).places.size() > kMany;
}

void listener_first(std::vector<Proposal>& ladder) {
  std::stable_partition(ladder.begin(), ladder.end(), [](const Proposal& proposal) {
    return proposal.strategy == Strategy::listener;
  });
}

void last_choices_last(std::vector<Proposal>& ladder) {
  std::stable_partition(ladder.begin(), ladder.end(),
                        [](const Proposal& proposal) { return !proposal.last_choice; });
}

}  // namespace

Proposals propose(const RepairTask& task) {
  const strategies::Scene scene(task);
  Proposals all;
  for (const Rung& rung : kLadder) {
    if (!asked_for(task.options, rung.strategy)) continue;
    Offers offers(scene, rung.strategy);
    rung.offer(offers);
    offers.move_to(all);
  }
  if (has_many_places(scene)) listener_first(all.ladder);
  last_choices_last(all.ladder);
  return all;
}

Proposals propose_for_all(const std::vector<RepairTask>& tasks) {
  Proposals all;
  std::deque<strategies::Scene> scenes;
  std::vector<const strategies::Scene*> shared;
  for (const RepairTask& task : tasks) {
    const strategies::Scene& scene = scenes.emplace_back(task);
    if (!scene.brittle() && !scene.sets().empty()) shared.push_back(&scene);
  }
  if (tasks.empty() || !asked_for(tasks.front().options, Strategy::listener)) return all;
  if (shared.empty()) {
    all.inapplicable.push_back(
        {Strategy::listener, "no state that a listener could put back is known"});
    return all;
  }
  Offers offers(*shared.front(), Strategy::listener);
  strategies::offer_shared_listener(offers, shared);
  offers.move_to(all);
  return all;
}

}  // namespace gordian
