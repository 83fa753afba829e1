// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// For the time of the test, another object behind a pointer, or in the place of one that can only
// be moved.
#include "repair/strategies/guard.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

/// "= new int(7)", "{std::make_unique<int>(5)}" -> the expression; empty: none that makes an
/// object.
std::string maker(const std::string& initializer) {
  std::string text = trimmed(initializer);
  if (text.starts_with("=")) text = trimmed(text.substr(1));
  if (text.size() > 1 && (text.front() == '(' || text.front() == '{')) {
    text = trimmed(text.substr(1, text.size() - 2));
  }
  const bool makes =
      text.starts_with("new ") || text.starts_with("std::make_") || text.starts_with("make_");
  return makes && text.find("[&") == std::string::npos ? text : "";
}

std::string as_pointer(const std::string& type, const std::string& text) {
  const bool raw = type.ends_with("*");
  return raw || !text.starts_with("new ") ? text : plain_type(type) + "(" + text + ")";
}

Guard fresh(const Reach& way, const std::string& value, const std::string& words) {
  Guard guard = guard_on("ScopedFresh", way, way.expression, way.type);
  guard.variable = guard_variable("fresh", way.expression);
  guard.arguments += ", " + value;
  guard.does = "uses " + words + " in " + way.expression;
  guard.meanwhile = true;
  return guard;
}

void add_behind_pointer(const StateFact& state, const Reach& way, Guards& guards) {
  Guard copy = guard_on("ScopedCopy", way, way.expression, way.type);
  copy.variable = guard_variable("copy", way.expression);
  copy.does = "uses a copy of *" + way.expression;
  copy.meanwhile = true;
  copy.reason = "The pointer alone would not do: what it points to is changed or freed.";
  guards.ways.push_back(std::move(copy));
  const std::string made = maker(state.initializer);
  if (!made.empty()) {
    guards.ways.push_back(fresh(way, as_pointer(way.type, made), "an object of its own"));
  } else if (state.default_constructible != Known::no) {
    guards.ways.push_back(fresh(way,
                                as_pointer(way.type, "new " + plain_type(state.pointee) + "()"),
                                "an object of its own"));
  }
}

}  // namespace

Guards fresh_guards(const Scene& scene, const Subject& subject, const Place& place) {
  if (std::string why = why_no_variable(subject); !why.empty()) return {{}, std::move(why)};
  const StateFact& state = *subject.state;
  const std::string name = display_name(state.name);
  const bool pointer =
      !state.pointee.empty() && state.pointee.find('(') == std::string::npos;  // no function
  const bool only_moves = state.copyable == Known::no && state.pointee.empty() &&
                          state.default_constructible == Known::yes &&
                          !plain_type(state.type).starts_with("std::atomic");
  if (!pointer && !only_moves) return {{}, name + " is no pointer to an object"};
  const Reached reached = reach(scene, state, place);
  Guards guards{{}, reached.why_not};
  for (const Reach& way : reached.ways) {
    if (way.is_pointee) {
      guards.why_not = "only the object behind " + name + " can be reached, not the pointer";
    } else if (pointer) {
      add_behind_pointer(state, way, guards);
    } else {
      guards.ways.push_back(fresh(way, type_text(way.type, way.expression) + "()", "a new object"));
    }
  }
  return guards;
}

}  // namespace gordian::strategies
