// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A guard that saves a copy of the variable and assigns it back.
#include "repair/strategies/guard.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

bool guard_copies(const StateFact& state) {
  // The guard itself knows atomics, which no assignment copies.
  if (plain_type(state.type).starts_with("std::atomic")) return true;
  return state.copyable != Known::no;
}

const MemberFact* first_member(const Subject& subject) {
  std::string_view path = subject.path;
  if (path.starts_with("->")) path.remove_prefix(2);
  if (path.starts_with(".")) path.remove_prefix(1);
  const std::string_view name = path.substr(0, path.find_first_of(".[-"));
  for (const MemberFact& member : subject.state->members) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

/// The pointer was freed by the test itself: an old copy of it would dangle.
bool test_deletes(const Scene& scene, const Place& place) {
  return place.test != nullptr && has_word(scene.text(place.test->body), "delete");
}

std::string why_not_whole(const Scene& scene, const Subject& subject, const Reach& way,
                          const Place& place) {
  const StateFact& state = *subject.state;
  if (way.is_pointee) return "";  // what it points to: the compiler will tell
  if (subject.behind_pointer()) {
    return phrase(subject) + " lies behind a pointer, which a copy of the pointer does not save";
  }
  if (!guard_copies(state)) return display_name(state.name) + " cannot be copied";
  const bool raw = state.type.ends_with("*");
  if (raw && test_deletes(scene, place)) {
    return "the test frees what " + display_name(state.name) + " points to";
  }
  return "";
}

void add_whole(const Scene& scene, const Subject& subject, const Reach& way, const Place& place,
               Guards& guards) {
  const std::string why = why_not_whole(scene, subject, way, place);
  if (!why.empty()) {
    guards.why_not = why;
    return;
  }
  Guard guard = guard_on("ScopedRestore", way, way.expression, way.type);
  if (way.expression.find('(') != std::string::npos) {
    guard.variable = guard_variable("restore", display_name(subject.state->name));
  }
  if (subject.state->is_thread_local) guard.reason = "It guards the thread of the test.";
  guards.ways.push_back(std::move(guard));
}

void add_path(const Subject& subject, const Reach& way, Guards& guards) {
  if (subject.path.empty() && !subject.pointee) return;
  const MemberFact* member = first_member(subject);
  if (member != nullptr && member->access != Access::open) {
    guards.why_not = phrase(subject) + " is private";
    return;
  }
  std::string path = subject.path;
  if (way.is_pointee && path.starts_with("->")) path = "." + path.substr(2);
  std::string object = way.expression;
  if (subject.pointee && !way.is_pointee) object = "*" + object;
  const std::string expression = with_path(object, path);
  if (expression == way.expression) return;
  const bool plain = subject.carrier->type.find_first_of("<({[") == std::string::npos;
  std::string type = plain ? subject.carrier->type : "";
  if (subject.pointee && path.empty() && !subject.state->pointee.empty()) {
    type = subject.state->pointee;
  }
  guards.ways.push_back(guard_on("ScopedRestore", way, expression, type));
}

}  // namespace

Guards restore_guards(const Scene& scene, const Subject& subject, const Place& place) {
  Guards guards;
  if (std::string why = why_no_variable(subject); !why.empty()) return {{}, std::move(why)};
  const Reached reached = reach(scene, *subject.state, place);
  guards.why_not = reached.why_not;
  for (const Reach& way : reached.ways) add_whole(scene, subject, way, place, guards);
  for (const Reach& way : reached.ways) add_path(subject, way, guards);
  return guards;
}

}  // namespace gordian::strategies
