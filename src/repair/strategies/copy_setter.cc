// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A brittle test gets the set-up that it leaned on another test for.
#include <algorithm>

#include "repair/strategies/guard.h"
#include "repair/strategies/offers.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

constexpr std::size_t kInline = 5;  // more statements than these become a function

std::string lines(const std::vector<std::string>& statements, const std::string& indent) {
  std::string text;
  for (const std::string& statement : statements) text += (text.empty() ? "" : "\n") + statement;
  replace_all(text, "\n", "\n" + indent);
  return indent + text;
}

/// "Table.IsLoaded" -> "set_up_as_table_is_loaded".
std::string helper_name(const std::string& test) {
  std::string name = "set_up_as_";
  bool lower = false;
  for (const char c : test) {
    if (!is_word_char(c)) {
      if (!name.ends_with("_")) name += '_';
      continue;
    }
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && lower && !name.ends_with("_")) name += '_';
    name += upper ? static_cast<char>(c - 'A' + 'a') : c;
    lower = !upper;
  }
  while (name.ends_with("_")) name.pop_back();
  return name;
}

/// The test has a name of its own that the statements declare too.
bool names_clash(const Scene& scene, const TestFact& test, const Slice& slice) {
  const std::string body = scene.text(test.body);
  return std::any_of(slice.declares.begin(), slice.declares.end(),
                     [&](const std::string& name) { return has_word(body, name); });
}

void put(Draft& draft, const Scene& scene, const TestFact& test, const Slice& slice, TestId from) {
  if (slice.statements.size() <= kInline || slice.uses_fixture) {
    const bool block = names_clash(scene, test, slice);
    draft.first_statement(
        test, block ? "{\n" + lines(slice.statements, "  ") + "\n}" : lines(slice.statements, ""));
    return;
  }
  const std::string name = helper_name(scene.name(from));
  draft.before(test, "static void " + name + "() {\n" + lines(slice.statements, "  ") + "\n}");
  draft.first_statement(test, name + "();");
}

bool put_all(Offers& offers, Draft& draft, const TestFact& test, const std::vector<Subject>& set,
             bool whole) {
  const Scene& scene = offers.scene();
  for (const TestId setter : scene.dependence().by) {
    const Slice slice = whole ? whole_slice(scene, setter) : writing_slice(scene, setter, set);
    if (slice.statements.empty()) {
      offers.no(slice.why_not);
      return false;
    }
    put(draft, scene, test, slice, setter);
    for (const Subject& subject : set) {
      if (subject.state == nullptr || subject.state->file == test.body.file) continue;
      const std::string include = include_of(scene, test.body.file, subject.state->header);
      if (!include.empty()) draft.include(test.body.file, include);
    }
  }
  return true;
}

/// The test puts back what it now sets, so that it does not spoil others.
bool guard(Offers& offers, Draft& draft, const std::vector<Subject>& set) {
  const Scene& scene = offers.scene();
  const Place place = scene.place_in(scene.dependence().test);
  for (const Subject& subject : set) {
    Guards guards = restore_guards(scene, subject, place);
    if (guards.ways.empty()) guards = process_guards(scene, subject, place);
    if (guards.ways.empty()) return false;
    draft.add(guards.ways.front(), place);
  }
  return true;
}

void offer_set_up(Offers& offers, const std::vector<Subject>& set, bool whole, bool guarded) {
  const Scene& scene = offers.scene();
  const TestId brittle = scene.dependence().test;
  const TestFact& test = *scene.fact(brittle);
  Draft draft(scene);
  if (guarded && !guard(offers, draft, set)) return;
  if (!put_all(offers, draft, test, set, whole)) return;
  std::vector<std::string> setters;
  for (const TestId setter : scene.dependence().by) setters.push_back(scene.title(setter));
  std::string summary = scene.title(brittle) + " sets up by itself what " + enumeration(setters) +
                        (setters.size() == 1 ? " left" : " together left");
  if (guarded) summary += ", and puts it back";
  offers.add(draft, summary,
             whole ? "All statements of the test that it leaned on but the checks."
                   : "The statements that set the state, without the checks between them.");
}

}  // namespace

void offer_setter(Offers& offers) {
  const Scene& scene = offers.scene();
  if (!scene.brittle()) {
    return offers.no(scene.title(scene.dependence().test) +
                     " does not need the state of another test");
  }
  const std::string why = scene.why_closed(scene.dependence().test);
  if (!why.empty()) return offers.no(why);
  for (const auto& set : scene.sets()) offer_set_up(offers, set, false, false);
  const std::vector<Subject> first =
      scene.sets().empty() ? std::vector<Subject>{} : scene.sets()[0];
  offer_set_up(offers, first, true, false);
  if (!first.empty()) offer_set_up(offers, first, false, true);
}

}  // namespace gordian::strategies
