// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a known cleaner does between polluter and victim, done at the polluter's end.
#include "base/text.h"
#include "repair/strategies/offers.h"

namespace gordian::strategies {
namespace {

constexpr std::size_t kCleaners = 3;

std::string lambda(const Slice& slice) {
  const std::string capture = slice.uses_fixture ? "[&]" : "[]";
  if (slice.statements.size() == 1 && slice.statements[0].find('\n') == std::string::npos) {
    return capture + " { " + slice.statements[0] + " }";
  }
  std::string text = capture + " {";
  for (const std::string& statement : slice.statements) text += "\n" + statement;
  replace_all(text, "\n", "\n  ");
  return text + "\n}";
}

void offer_clean_up(Offers& offers, const std::vector<Subject>& set, TestId cleaner) {
  const Scene& scene = offers.scene();
  const Slice slice = writing_slice(scene, cleaner, set);
  if (slice.statements.empty()) return offers.no(slice.why_not);
  const Places places = scene.places(scene.polluters(set), set);
  if (places.places.empty()) return offers.no(places.why_not);
  Draft draft(scene);
  std::vector<std::string> where;
  for (const Place& place : places.places) {
    if (slice.uses_fixture && place.test != nullptr &&
        place.test->fixture != scene.fact(cleaner)->fixture) {
      return offers.no(scene.title(cleaner) + " cleans up with members of its own fixture");
    }
    Guard guard;
    guard.name = "AtExit";
    guard.variable = "clean_up";
    guard.arguments = lambda(slice);
    draft.add(guard, place);
    where.push_back(place.name);
  }
  offers.add(draft,
             "cleans up as " + scene.title(cleaner) + " does when " + enumeration(where) +
                 (where.size() == 1 ? " ends" : " end"),
             "That test, run in between, makes the result as alone again.");
}

}  // namespace

void offer_cleaner(Offers& offers) {
  const Scene& scene = offers.scene();
  if (scene.brittle()) return offers.no("a brittle test has no cleaner");
  const auto& cleaners = scene.dependence().cleaners;
  if (cleaners.empty()) return offers.no("no test is known that cleans up");
  if (scene.sets().empty()) return offers.no("the state that carries the dependence is not known");
  for (std::size_t i = 0; i < cleaners.size() && i < kCleaners; ++i) {
    offer_clean_up(offers, scene.sets()[0], cleaners[i]);
  }
}

}  // namespace gordian::strategies
