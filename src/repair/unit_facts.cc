// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/unit_facts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace gordian {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

constexpr std::string_view kMark = "\"gordian_facts\"";

Access access_of(const json& word) {
  if (word == "closed") return Access::closed;
  return word == "guarded" ? Access::guarded : Access::open;
}

Known known(const json& value) {
  return value.get<bool>() ? Known::yes : Known::no;
}

StateKind kind_of(const json& word) {
  if (word == "local_static") return StateKind::local_static;
  return word == "class_static" ? StateKind::class_static : StateKind::global;
}

TextRange range_of(const json& object) {
  if (object.is_null()) return {};
  TextRange range;
  object.at("file").get_to(range.file);
  object.at("begin").get_to(range.begin);
  object.at("end").get_to(range.end);
  object.at("line").get_to(range.line);
  return range;
}

UnitEffects effects_of(const json& object) {
  return {object.at("writes").get<Names>(), object.at("calls").get<Names>(),
          object.at("through").get<Names>(), object.at("outside").get<Names>()};
}

template <class Value, class Read>
std::vector<Value> list_of(const json& array, Read read) {
  std::vector<Value> result;
  for (const json& object : array) result.push_back(read(object));
  return result;
}

MemberFact member_of(const json& object) {
  return {object.at("name"), object.at("type"), access_of(object.at("access")),
          known(object.at("copyable"))};
}

UnitState::Method method_of(const json& object) {
  return {object.at("name"), access_of(object.at("access")), object.at("parameters")};
}

UnitState::Property property_method_of(const json& object) {
  return {object.at("get"), object.at("set"), object.at("type"), access_of(object.at("access"))};
}

StateFact state_fact(const json& object) {
  StateFact fact;
  object.at("name").get_to(fact.name);
  object.at("expression").get_to(fact.expression);
  object.at("type").get_to(fact.type);
  fact.kind = kind_of(object.at("kind"));
  object.at("thread_local").get_to(fact.is_thread_local);
  object.at("internal").get_to(fact.internal);
  object.at("const").get_to(fact.is_const);
  fact.access = access_of(object.at("access"));
  object.at("owner").get_to(fact.owner);
  object.at("file").get_to(fact.file);
  object.at("line").get_to(fact.line);
  object.at("header").get_to(fact.header);
  object.at("initializer").get_to(fact.initializer);
  fact.copyable = known(object.at("copyable"));
  fact.default_constructible = known(object.at("default_constructible"));
  object.at("shallow").get_to(fact.shallow);
  object.at("pointee").get_to(fact.pointee);
  fact.members = list_of<MemberFact>(object.at("members"), member_of);
  return fact;
}

UnitState state_of(const json& object) {
  return {object.at("id"), object.at("defined"), state_fact(object),
          list_of<UnitState::Method>(object.at("reset_methods"), method_of),
          list_of<UnitState::Property>(object.at("property_methods"), property_method_of)};
}

AccessorFact accessor_of(const json& object) {
  AccessorFact fact;
  object.at("state").get_to(fact.state);
  object.at("expression").get_to(fact.expression);
  fact.access = access_of(object.at("access"));
  object.at("gives_const").get_to(fact.gives_const);
  object.at("pointee").get_to(fact.gives_pointee);
  object.at("header").get_to(fact.header);
  return fact;
}

UnitReset reset_of(const json& object) {
  UnitReset reset;
  object.at("call").get_to(reset.fact.call);
  reset.fact.access = access_of(object.at("access"));
  object.at("header").get_to(reset.fact.header);
  object.at("parameters").get_to(reset.fact.parameters);
  object.at("score").get_to(reset.score);
  reset.effects = effects_of(object);
  return reset;
}

UnitProperty property_of(const json& object) {
  UnitProperty property;
  object.at("get").get_to(property.fact.get);
  object.at("set").get_to(property.fact.set);
  object.at("type").get_to(property.fact.type);
  property.fact.access = access_of(object.at("access"));
  object.at("header").get_to(property.fact.header);
  object.at("unmistakable").get_to(property.fact.unmistakable);
  property.effects = effects_of(object);
  return property;
}

UnitFunction function_of(const json& object) {
  return {object.at("id"), effects_of(object), object.at("gives").get<Names>(),
          object.at("gives_of").get<Names>()};
}

StatementFact statement_of(const json& object) {
  StatementFact fact;
  fact.range = range_of(object.at("range"));
  object.at("assertion").get_to(fact.assertion);
  object.at("declares").get_to(fact.declares);
  object.at("uses").get_to(fact.uses);
  return fact;
}

UnitTest test_of(const json& object) {
  UnitTest test;
  object.at("suite").get_to(test.fact.suite);
  object.at("name").get_to(test.fact.name);
  object.at("fixture").get_to(test.fact.fixture);
  test.fact.macro = range_of(object.at("macro"));
  test.fact.body = range_of(object.at("body"));
  object.at("spelled").get_to(test.fact.spelled);
  object.at("template").get_to(test.fact.is_template);
  test.fact.statements = list_of<StatementFact>(object.at("statements"), statement_of);
  test.effects = list_of<UnitEffects>(object.at("statements"), effects_of);
  return test;
}

UnitFixture fixture_of(const json& object) {
  UnitFixture fixture;
  object.at("name").get_to(fixture.fact.name);
  fixture.fact.body = range_of(object.at("body"));
  object.at("spelled").get_to(fixture.fact.spelled);
  fixture.set_up = effects_of(object);
  return fixture;
}

UnitFile file_of(const json& object) {
  return {object.at("file"), object.value("digest", ""), object.value("size", std::uint64_t{0}),
          object.value("time", std::int64_t{0})};
}

UnitFacts unit_of(const json& object) {
  UnitFacts unit;
  object.at("file").get_to(unit.unit.file);
  object.at("errors").get_to(unit.unit.errors);
  object.at("first_error").get_to(unit.unit.first_error);
  if (!object.contains("states")) return unit;  // nothing could be read of it
  unit.files = list_of<UnitFile>(object.at("includes"), file_of);
  unit.states = list_of<UnitState>(object.at("states"), state_of);
  unit.accessors = list_of<AccessorFact>(object.at("accessors"), accessor_of);
  unit.resets = list_of<UnitReset>(object.at("reset_functions"), reset_of);
  unit.properties = list_of<UnitProperty>(object.at("property_functions"), property_of);
  unit.functions = list_of<UnitFunction>(object.at("functions"), function_of);
  for (const json& pair : object.at("overrides"))
    unit.overrides.emplace_back(pair.at(0), pair.at(1));
  for (const json& one : object.at("undefined"))
    unit.undefined.push_back({one.at("id"), one.at("name"), one.at("file")});
  unit.tests = list_of<UnitTest>(object.at("tests"), test_of);
  unit.fixtures = list_of<UnitFixture>(object.at("fixtures"), fixture_of);
  return unit;
}

/// The line of the document among whatever else was printed.
std::string_view document_in(std::string_view output) {
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    if (line.starts_with('{') && line.find(kMark) != std::string_view::npos) return line;
    output.remove_prefix(std::min(end + 1, output.size()));
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
    return list_of<UnitFacts>(document.at("units"), unit_of);
  } catch (const json::exception& problem) {
    return unreadable(problem.what());
  }
}

}  // namespace gordian
