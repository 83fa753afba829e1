// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/dependence_codec.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "state/kinds/state_kinds.h"

namespace gordian {
namespace {

using nlohmann::json;

template <class E>
E word_from(const json& value, std::optional<E> (*parse)(std::string_view)) {
  const auto word = value.get<std::string>();
  const std::optional<E> found = parse(word);
  if (!found) refuse("there is an unknown word '" + word + "'");
  return *found;
}

json text_in(const std::string& text, JsonForm form) {
  return form == JsonForm::shown ? text_or_null(text) : json(text);
}

/// A value of a state: an empty one is one, too.
json value_json(const std::optional<std::string>& value) {
  return value ? json(*value) : json();
}

std::optional<std::string> value_from(const json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<std::string>();
}

json declared_json(const Carrier& carrier) {
  if (carrier.file.empty()) return {};
  return {{"file", carrier.file}, {"line", line_or_null(carrier.line)}};
}

StackFrame frame_from(const json& value) {
  StackFrame frame;
  value.at("function").get_to(frame.function);
  value.at("file").get_to(frame.file);
  value.at("line").get_to(frame.line);
  value.at("module").get_to(frame.module);
  value.at("address").get_to(frame.address);
  return frame;
}

json carrier_to_json(const Carrier& carrier, JsonForm form) {
  json value = {
      {"kind", to_string(carrier.key.kind())},    {"name", carrier.key.text()},
      {"type", text_in(carrier.type, form)},      {"old", value_json(carrier.old_value)},
      {"new", value_json(carrier.new_value)},     {"write", site_to_json(carrier.write, form)},
      {"read", site_to_json(carrier.read, form)}, {"proved", carrier.proved}};
  if (form == JsonForm::shown) {
    value["declared"] = declared_json(carrier);
  } else {
    value["file"] = carrier.file;
    value["line"] = carrier.line;
  }
  return value;
}

Carrier carrier_from(const json& value) {
  Carrier carrier;
  carrier.key = {carrier_kind_from(value.at("kind")), value.at("name").get<std::string>()};
  value.at("type").get_to(carrier.type);
  carrier.old_value = value_from(value.at("old"));
  carrier.new_value = value_from(value.at("new"));
  value.at("file").get_to(carrier.file);
  value.at("line").get_to(carrier.line);
  carrier.write = site_from(value.at("write"));
  carrier.read = site_from(value.at("read"));
  value.at("proved").get_to(carrier.proved);
  return carrier;
}

json patch_to_json(const Patch& patch, JsonForm form) {
  return {{"strategy", to_string(patch.strategy)},
          {"diff", patch.diff},
          {"summary", patch.summary},
          {"reason", text_in(patch.reason, form)},
          {"commit_message", text_in(patch.commit_message, form)},
          {"added", patch.added},
          {"removed", patch.removed},
          {"files", patch.files},
          {"product_code", patch.product_code}};
}

Patch patch_from(const json& value) {
  Patch patch;
  patch.strategy = word_from(value.at("strategy"), parse_strategy);
  value.at("diff").get_to(patch.diff);
  value.at("summary").get_to(patch.summary);
  value.at("reason").get_to(patch.reason);
  value.at("commit_message").get_to(patch.commit_message);
  value.at("added").get_to(patch.added);
  value.at("removed").get_to(patch.removed);
  value.at("files").get_to(patch.files);
  value.at("product_code").get_to(patch.product_code);
  return patch;
}

RepairCheck check_from(const json& value) {
  RepairCheck check;
  check.kind = word_from(value.at("name"), parse_check_kind);
  value.at("passed").get_to(check.passed);
  value.at("runs").get_to(check.runs);
  value.at("detail").get_to(check.detail);
  return check;
}

json attempt_to_json(const RepairAttempt& attempt, JsonForm form) {
  return {
      {"patch", patch_to_json(attempt.patch, form)},    {"verdict", to_string(attempt.verdict)},
      {"checks", checks_to_json(attempt.checks, form)}, {"why", text_in(attempt.why, form)},
      {"build_seconds", attempt.build_seconds},         {"check_seconds", attempt.check_seconds}};
}

RepairAttempt attempt_from(const json& value) {
  RepairAttempt attempt;
  attempt.patch = patch_from(value.at("patch"));
  attempt.verdict = word_from(value.at("verdict"), parse_repair_verdict);
  attempt.checks = checks_from(value.at("checks"));
  value.at("why").get_to(attempt.why);
  value.at("build_seconds").get_to(attempt.build_seconds);
  value.at("check_seconds").get_to(attempt.check_seconds);
  return attempt;
}

}  // namespace

void refuse(const std::string& what) {
  throw json::other_error::create(501, what, nullptr);
}

std::vector<TestId> numbers_from(const json& list, std::size_t tests) {
  std::vector<TestId> found;
  for (const json& id : list) found.push_back(test_id_from(id, tests));
  return found;
}

json id_or_null(DependenceId id) {
  return is_stored(id) ? json(to_string(id)) : json();
}

json names_json(const std::vector<TestId>& tests, const Suite& suite) {
  return names_of(suite, tests);
}

TestId test_id_from(const json& value, std::size_t tests) {
  const auto id = value.get<std::uint64_t>();
  if (!value.is_number_unsigned() || id >= tests) refuse("there is no test " + value.dump());
  return TestId{static_cast<std::uint32_t>(id)};
}

Outcome outcome_from(const json& value) {
  auto outcome = outcome_from_json(value);
  if (!outcome) refuse(outcome.error().message);
  return *std::move(outcome);
}

CarrierKind carrier_kind_from(const json& word) {
  return word_from(word, parse_carrier_kind);
}

json to_json(const Dependence& d) {
  return {{"test", d.test.value()},
          {"role", to_string(d.role)},
          {"by", numbers_of(d.by)},
          {"expected", to_json(d.expected)},
          {"alone", to_json(d.alone)},
          {"witnessed", to_json(d.witnessed)},
          {"confirmed", d.confirmed},
          {"fresh", d.fresh},
          {"passes_after", numbers_of(d.passes_after)},
          {"singles", numbers_of(d.singles)},
          {"singles_complete", d.singles_complete},
          {"cleaners", numbers_of(d.cleaners)},
          {"cleaners_complete", d.cleaners_complete},
          {"splits_suite", d.splits_suite},
          {"found_by", d.found_by}};
}

Dependence dependence_from(const json& value, std::size_t tests) {
  Dependence d;
  d.test = test_id_from(value.at("test"), tests);
  d.role = word_from(value.at("role"), parse_role);
  d.by = numbers_from(value.at("by"), tests);
  if (d.by.empty()) refuse("a dependence on nothing");
  d.witness = d.by;
  d.witness.push_back(d.test);
  d.expected = outcome_from(value.at("expected"));
  d.alone = outcome_from(value.at("alone"));
  d.witnessed = outcome_from(value.at("witnessed"));
  value.at("confirmed").get_to(d.confirmed);
  d.fresh = value.value("fresh", 0);  // what is stored by older versions has neither
  if (value.contains("passes_after")) {
    d.passes_after = numbers_from(value.at("passes_after"), tests);
  }
  d.singles = numbers_from(value.at("singles"), tests);
  value.at("singles_complete").get_to(d.singles_complete);
  d.cleaners = numbers_from(value.at("cleaners"), tests);
  value.at("cleaners_complete").get_to(d.cleaners_complete);
  value.at("splits_suite").get_to(d.splits_suite);
  value.at("found_by").get_to(d.found_by);
  return d;
}

json to_json(const NondeterministicTest& test) {
  return {{"test", test.test.value()},
          {"runs", test.runs},
          {"differ", test.differ},
          {"order", numbers_of(test.order)},
          {"usual", to_json(test.usual)},
          {"other", to_json(test.other)},
          {"in_fresh", test.in_fresh},
          {"alone_runs", test.alone_runs},
          {"alone_differ", test.alone_differ}};
}

NondeterministicTest nondeterministic_from(const json& value, std::size_t tests) {
  NondeterministicTest test;
  test.test = test_id_from(value.at("test"), tests);
  value.at("runs").get_to(test.runs);
  value.at("differ").get_to(test.differ);
  test.order = numbers_from(value.at("order"), tests);
  test.usual = outcome_from(value.at("usual"));
  test.other = outcome_from(value.at("other"));
  test.in_fresh = value.value("in_fresh", false);
  test.alone_runs = value.value("alone_runs", 0);
  test.alone_differ = value.value("alone_differ", 0);
  return test;
}

json to_json(const NamedDependence& dependence) {
  return {{"role", to_string(dependence.role)},      {"witness", dependence.witness},
          {"singles", dependence.singles},           {"cleaners", dependence.cleaners},
          {"passes_after", dependence.passes_after}, {"expected", to_json(dependence.expected)},
          {"alone", to_json(dependence.alone)},      {"witnessed", to_json(dependence.witnessed)}};
}

void read_named(const json& value, NamedDependence& dependence) {
  dependence.role = parse_role(value.at("role").get<std::string>()).value_or(Role::victim);
  value.at("witness").get_to(dependence.witness);
  if (!dependence.witness.empty()) {
    dependence.test = dependence.witness.back();  // the key may say more
    dependence.by.assign(dependence.witness.begin(), dependence.witness.end() - 1);
  }
  dependence.singles = value.value("singles", std::vector<std::string>());  // older rows have none
  dependence.cleaners = value.value("cleaners", std::vector<std::string>());
  dependence.passes_after = value.value("passes_after", std::vector<std::string>());
  dependence.expected = outcome_from(value.at("expected"));
  dependence.alone = outcome_from(value.at("alone"));
  dependence.witnessed = outcome_from(value.at("witnessed"));
}

json to_public_json(const Dependence& d, const Suite& suite) {
  const bool brittle = d.role == Role::brittle;
  json singles = names_json(d.singles, suite);
  return {{"id", to_string(d.id)},
          {"test", suite.test(d.test).full_name()},
          {"role", to_string(d.role)},
          {"by", names_json(d.by, suite)},
          {"witness", names_json(d.witness, suite)},
          {"expected", to_public_json(d.expected)},
          {"observed", to_public_json(d.observed())},
          {"observed_order", names_json(d.observed_order(), suite)},
          {"alone", to_public_json(d.alone)},
          {"witnessed", to_public_json(d.witnessed)},
          {"confirmed", d.confirmed},
          {"confirmed_fresh", d.fresh},
          {"passes_after", names_json(d.passes_after, suite)},
          {"polluters", brittle ? json::array() : singles},
          {"state_setters", brittle ? singles : json::array()},
          {"polluters_complete", d.singles_complete},
          {"cleaners", names_json(d.cleaners, suite)},
          {"cleaners_complete", d.cleaners_complete},
          {"splits_suite", d.splits_suite},
          {"found_by", text_or_null(d.found_by)}};
}

json to_public_json(const NondeterministicTest& test, const Suite& suite) {
  const Interval rate = rate_interval(test.differ, test.runs);
  return {
      {"test", suite.test(test.test).full_name()},
      {"runs", test.runs},
      {"differ", test.differ},
      {"rate_low", rate.low},
      {"rate_high", rate.high},
      {"order", test.order.empty() ? json() : names_json(test.order, suite)},  // null: the default
      {"usual", to_public_json(test.usual)},
      {"other", to_public_json(test.other)},
      {"fresh_processes", test.in_fresh},
      {"alone_runs", test.in_fresh ? json(test.alone_runs) : json()},
      {"alone_differ", test.in_fresh ? json(test.alone_differ) : json()}};
}

json frame_to_json(const StackFrame& frame, JsonForm form) {
  json value = {{"function", text_in(frame.function, form)},
                {"file", text_in(frame.file, form)},
                {"line", frame.line},
                {"module", text_in(frame.module, form)},
                {"address", frame.address}};
  if (form == JsonForm::shown) {
    value["line"] = line_or_null(frame.line);
    value["address"] = fmt::format("{:#x}", frame.address);
  }
  return value;
}

json site_to_json(const std::optional<Site>& site, JsonForm form) {
  if (!site) return {};
  json stack = json::array();
  for (const StackFrame& frame : site->stack) stack.push_back(frame_to_json(frame, form));
  json value = {{"test", site->test},
                {"stack", std::move(stack)},
                {"times", site->times},
                {"times_capped", site->times_capped}};
  if (form == JsonForm::kept) {
    value["shown"] = site->shown;
    return value;
  }
  StackFrame shown;
  if (site->shown < site->stack.size()) shown = site->stack[site->shown];
  value["file"] = text_or_null(shown.file);
  value["line"] = line_or_null(shown.line);
  value["function"] = text_or_null(shown.function);
  return value;
}

std::optional<Site> site_from(const json& value) {
  if (value.is_null()) return std::nullopt;
  Site site;
  value.at("test").get_to(site.test);
  for (const json& frame : value.at("stack")) site.stack.push_back(frame_from(frame));
  value.at("shown").get_to(site.shown);
  value.at("times").get_to(site.times);
  value.at("times_capped").get_to(site.times_capped);
  return site;
}

json carriers_to_json(const std::vector<Carrier>& carriers, JsonForm form) {
  json list = json::array();
  for (const Carrier& carrier : carriers) list.push_back(carrier_to_json(carrier, form));
  return list;
}

json to_json(const Explanation& explanation, JsonForm form) {
  return {{"carriers", carriers_to_json(explanation.carriers, form)},
          {"behind", explanation.behind},
          {"proved", explanation.proved},
          {"proofs", explanation.proofs},
          {"changes", explanation.changes},
          {"why_not", text_in(explanation.why_not, form)},
          {"no_sites", text_in(explanation.no_sites, form)},
          {"seconds", explanation.seconds}};
}

Explanation explanation_from(const json& value) {
  Explanation explanation;
  for (const json& carrier : value.at("carriers")) {
    explanation.carriers.push_back(carrier_from(carrier));
  }
  explanation.behind = value.value("behind", std::vector<std::string>());
  value.at("proved").get_to(explanation.proved);
  value.at("proofs").get_to(explanation.proofs);
  value.at("changes").get_to(explanation.changes);
  value.at("why_not").get_to(explanation.why_not);
  explanation.no_sites = value.value("no_sites", "");
  value.at("seconds").get_to(explanation.seconds);
  return explanation;
}

json checks_to_json(const std::vector<RepairCheck>& checks, JsonForm form) {
  json list = json::array();
  for (const RepairCheck& check : checks) {
    list.push_back({{"name", to_string(check.kind)},
                    {"passed", check.passed},
                    {"runs", check.runs},
                    {"detail", text_in(check.detail, form)}});
  }
  return list;
}

std::vector<RepairCheck> checks_from(const json& value) {
  std::vector<RepairCheck> checks;
  for (const json& check : value) checks.push_back(check_from(check));
  return checks;
}

json to_json(const Repair& repair, JsonForm form) {
  json attempts = json::array(), inapplicable = json::array();
  for (const RepairAttempt& one : repair.attempts) attempts.push_back(attempt_to_json(one, form));
  for (const Inapplicable& one : repair.inapplicable) {
    inapplicable.push_back({{"strategy", to_string(one.strategy)}, {"why", one.why}});
  }
  return {{"attempts", std::move(attempts)},
          {"inapplicable", std::move(inapplicable)},
          {"accepted", repair.accepted ? json(*repair.accepted) : json()},
          {"gone_by", text_in(is_stored(repair.gone_by) ? to_string(repair.gone_by) : "", form)},
          {"why_not", text_in(repair.why_not, form)}};
}

Repair repair_from(const json& value) {
  Repair repair;
  for (const json& attempt : value.at("attempts")) repair.attempts.push_back(attempt_from(attempt));
  for (const json& one : value.at("inapplicable")) {
    repair.inapplicable.push_back(
        {word_from(one.at("strategy"), parse_strategy), one.at("why").get<std::string>()});
  }
  const json& accepted = value.at("accepted");
  if (!accepted.is_null()) repair.accepted = accepted.get<std::size_t>();
  if (repair.accepted.value_or(0) >= repair.attempts.size() && repair.accepted) {
    refuse("an accepted patch that was never tried");
  }
  const auto gone_by = value.at("gone_by").get<std::string>();
  repair.gone_by = parse_dependence_id(gone_by).value_or(kNoDependence);
  value.at("why_not").get_to(repair.why_not);
  return repair;
}

}  // namespace gordian
