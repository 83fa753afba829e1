// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/unit_facts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "repair/change.h"

namespace gordian {

using nlohmann::json;

namespace {

/// Keys of an object, each with the place for its value.
template <class Value, class... More>
void read(const json& object, const char* key, Value& to, More&&... more) {
  object.at(key).get_to(to);
  if constexpr (sizeof...(more) > 0) read(object, std::forward<More>(more)...);
}

}  // namespace

// The library looks for these beside the types that they read, so they are in no unnamed namespace.

static void from_json(const json& word, Access& access) {
  access = word == "closed" ? Access::closed : word == "guarded" ? Access::guarded : Access::open;
}

static void from_json(const json& value, Known& known) {
  known = value.get<bool>() ? Known::yes : Known::no;
}

static void from_json(const json& word, StateKind& kind) {
  kind = word == "local_static"   ? StateKind::local_static
         : word == "class_static" ? StateKind::class_static
                                  : StateKind::global;
}

static void from_json(const json& object, TextRange& range) {
  if (object.is_null()) return;
  read(object, "file", range.file, "begin", range.begin, "end", range.end, "line", range.line);
}

static void from_json(const json& object, UnitEffects& effects) {
  read(object, "writes", effects.writes, "calls", effects.calls, "through", effects.through,
       "outside", effects.outside);
}

static void from_json(const json& object, MemberFact& member) {
  read(object, "name", member.name, "type", member.type, "access", member.access, "copyable",
       member.copyable);
}

static void from_json(const json& object, UnitState::Method& method) {
  read(object, "name", method.name, "access", method.access, "parameters", method.parameters);
}

static void from_json(const json& object, UnitState::Property& property) {
  read(object, "get", property.get, "set", property.set, "type", property.type, "access",
       property.access);
}

static void from_json(const json& object, UnitState& state) {
  StateFact& fact = state.fact;
  read(object, "id", state.id, "defined", state.defined, "reset_methods", state.reset_methods,
       "property_methods", state.properties);
  read(object, "name", fact.name, "expression", fact.expression, "type", fact.type);
  read(object, "kind", fact.kind, "thread_local", fact.is_thread_local, "internal", fact.internal);
  read(object, "const", fact.is_const, "access", fact.access, "owner", fact.owner);
  read(object, "file", fact.file, "line", fact.line, "header", fact.header);
  read(object, "initializer", fact.initializer, "copyable", fact.copyable, "shallow", fact.shallow);
  read(object, "default_constructible", fact.default_constructible, "pointee", fact.pointee);
  read(object, "members", fact.members);
}

static void from_json(const json& object, AccessorFact& fact) {
  read(object, "state", fact.state, "expression", fact.expression, "access", fact.access);
  read(object, "gives_const", fact.gives_const, "pointee", fact.gives_pointee, "header",
       fact.header);
}

static void from_json(const json& object, UnitReset& reset) {
  ResetFact& fact = reset.fact;
  read(object, "call", fact.call, "access", fact.access, "header", fact.header);
  read(object, "parameters", fact.parameters, "score", reset.score);
  object.get_to(reset.effects);
}

static void from_json(const json& object, UnitProperty& property) {
  PropertyFact& fact = property.fact;
  read(object, "get", fact.get, "set", fact.set, "type", fact.type, "access", fact.access);
  read(object, "header", fact.header, "unmistakable", fact.unmistakable);
  object.get_to(property.effects);
}

static void from_json(const json& object, UnitFunction& function) {
  read(object, "id", function.id, "gives", function.gives, "gives_of", function.gives_of);
  object.get_to(function.effects);
}

static void from_json(const json& object, StatementFact& fact) {
  read(object, "range", fact.range, "assertion", fact.assertion, "declares", fact.declares, "uses",
       fact.uses);
}

static void from_json(const json& object, UnitTest& test) {
  TestFact& fact = test.fact;
  read(object, "suite", fact.suite, "name", fact.name, "fixture", fact.fixture);
  read(object, "macro", fact.macro, "body", fact.body, "spelled", fact.spelled);
  read(object, "template", fact.is_template, "statements", fact.statements);
  read(object, "statements", test.effects);
}

static void from_json(const json& object, UnitFixture& fixture) {
  FixtureFact& fact = fixture.fact;
  read(object, "name", fact.name, "body", fact.body, "spelled", fact.spelled);
  object.get_to(fixture.set_up);
}

static void from_json(const json& object, UnitFile& file) {
  file = {object.at("file"), object.value("digest", ""), object.value("size", std::uint64_t{0}),
          object.value("time", std::int64_t{0})};
}

static void from_json(const json& object, UnitFacts::Undefined& one) {
  read(object, "id", one.id, "name", one.name, "file", one.file);
}

static void from_json(const json& object, UnitFacts& unit) {
  read(object, "file", unit.unit.file, "errors", unit.unit.errors, "first_error",
       unit.unit.first_error);
  if (!object.contains("states")) return;  // nothing could be read of it
  read(object, "includes", unit.files, "states", unit.states, "accessors", unit.accessors);
  read(object, "reset_functions", unit.resets, "property_functions", unit.properties);
  read(object, "functions", unit.functions, "overrides", unit.overrides);
  read(object, "undefined", unit.undefined, "tests", unit.tests, "fixtures", unit.fixtures);
}

namespace {

/// The line of the document among whatever else was printed.
std::string_view document_in(std::string_view output) {
  for (const std::string_view line : whole_lines(output)) {
    if (line.starts_with('{') && line.find("\"gordian_facts\"") != std::string_view::npos)
      return line;
  }
  return {};
}

Error unreadable(const std::string& why) {
  return internal_error("the facts of gordian-facts cannot be read: " + why,
                        "gordian and gordian-facts must come from the same version");
}

}  // namespace

Result<std::vector<UnitFacts>> parse_unit_facts(std::string_view output) {
  const std::string_view text = document_in(output);
  if (text.empty()) return unreadable("there is no document in what it printed");
  try {
    const json document = json::parse(text, nullptr, false);
    if (document.is_discarded()) return unreadable("the document is cut off or damaged");
    const int version = document.at("gordian_facts");
    if (version != kFactsVersion) {
      return unreadable(
          fmt::format("they are of version {}, and this is version {}", version, kFactsVersion));
    }
    return document.at("units").get<std::vector<UnitFacts>>();
  } catch (const json::exception& problem) {
    return unreadable(problem.what());
  }
}

}  // namespace gordian
