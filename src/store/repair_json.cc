// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/repair_json.h"

#include "store/words.h"

namespace gordian {
namespace {

using nlohmann::json;

template <class E>
E word_from(const json& value) {
  auto parsed = parse_stored_word<E>(value.get<std::string>());
  if (!parsed) throw json::other_error::create(501, parsed.error().message, nullptr);
  return *parsed;
}

json patch_json(const Patch& patch) {
  return {{"strategy", stored_word(patch.strategy)},
          {"diff", patch.diff},
          {"summary", patch.summary},
          {"reason", patch.reason},
          {"commit_message", patch.commit_message},
          {"added", patch.added},
          {"removed", patch.removed},
          {"files", patch.files},
          {"product_code", patch.product_code}};
}

Patch patch_from(const json& value) {
  Patch patch;
  patch.strategy = word_from<Strategy>(value.at("strategy"));
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

json check_json(const RepairCheck& check) {
  return {{"name", to_string(check.kind)},
          {"passed", check.passed},
          {"runs", check.runs},
          {"detail", check.detail}};
}

RepairCheck check_from(const json& value) {
  RepairCheck check;
  const std::string word = value.at("name").get<std::string>();
  const auto kind = parse_check_kind(word);
  if (!kind) throw json::other_error::create(501, unknown_stored_word(word).message, nullptr);
  check.kind = *kind;
  value.at("passed").get_to(check.passed);
  value.at("runs").get_to(check.runs);
  value.at("detail").get_to(check.detail);
  return check;
}

}  // namespace

json checks_json(const std::vector<RepairCheck>& checks) {
  json list = json::array();
  for (const RepairCheck& check : checks) list.push_back(check_json(check));
  return list;
}

std::vector<RepairCheck> checks_from(const json& value) {
  std::vector<RepairCheck> checks;
  for (const json& check : value) checks.push_back(check_from(check));
  return checks;
}

namespace {

json attempt_json(const RepairAttempt& attempt) {
  return {{"patch", patch_json(attempt.patch)},     {"verdict", stored_word(attempt.verdict)},
          {"checks", checks_json(attempt.checks)},  {"why", attempt.why},
          {"build_seconds", attempt.build_seconds}, {"check_seconds", attempt.check_seconds}};
}

RepairAttempt attempt_from(const json& value) {
  RepairAttempt attempt;
  attempt.patch = patch_from(value.at("patch"));
  attempt.verdict = word_from<RepairVerdict>(value.at("verdict"));
  attempt.checks = checks_from(value.at("checks"));
  value.at("why").get_to(attempt.why);
  value.at("build_seconds").get_to(attempt.build_seconds);
  value.at("check_seconds").get_to(attempt.check_seconds);
  return attempt;
}

}  // namespace

json repair_json(const Repair& repair) {
  json attempts = json::array(), inapplicable = json::array();
  for (const RepairAttempt& attempt : repair.attempts) attempts.push_back(attempt_json(attempt));
  for (const Inapplicable& one : repair.inapplicable) {
    inapplicable.push_back({{"strategy", stored_word(one.strategy)}, {"why", one.why}});
  }
  return {{"attempts", std::move(attempts)},
          {"inapplicable", std::move(inapplicable)},
          {"accepted", repair.accepted ? json(*repair.accepted) : json()},
          {"gone_by", is_stored(repair.gone_by) ? to_string(repair.gone_by) : ""},
          {"why_not", repair.why_not}};
}

Repair repair_from(const json& value) {
  Repair repair;
  for (const json& attempt : value.at("attempts")) repair.attempts.push_back(attempt_from(attempt));
  for (const json& one : value.at("inapplicable")) {
    repair.inapplicable.push_back(
        {word_from<Strategy>(one.at("strategy")), one.at("why").get<std::string>()});
  }
  const json& accepted = value.at("accepted");
  if (!accepted.is_null()) repair.accepted = accepted.get<std::size_t>();
  if (repair.accepted.value_or(0) >= repair.attempts.size() && repair.accepted) {
    throw json::other_error::create(502, "an accepted patch that was never tried", nullptr);
  }
  const auto gone_by = value.at("gone_by").get<std::string>();
  repair.gone_by = parse_dependence_id(gone_by).value_or(kNoDependence);
  value.at("why_not").get_to(repair.why_not);
  return repair;
}

}  // namespace gordian
