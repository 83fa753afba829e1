// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/repair_json.h"

#include "report/detect_json.h"
#include "report/detect_words.h"
#include "report/json_values.h"
#include "report/run_json.h"

namespace gordian {

using nlohmann::json;

namespace {}  // namespace

json checks_to_json(const std::vector<RepairCheck>& checks) {
  json list = json::array();
  for (const RepairCheck& check : checks) {
    list.push_back({{"name", to_string(check.kind)},
                    {"passed", check.passed},
                    {"runs", check.runs},
                    {"detail", text_or_null(check.detail)}});
  }
  return list;
}

json inapplicable_to_json(const std::vector<Inapplicable>& strategies) {
  json list = json::array();
  for (const Inapplicable& one : strategies) {
    list.push_back({{"strategy", to_string(one.strategy)}, {"why", one.why}});
  }
  return list;
}

namespace {

json patch_to_json(const Patch& patch) {
  return {{"strategy", to_string(patch.strategy)},
          {"summary", patch.summary},
          {"reason", text_or_null(patch.reason)},
          {"diff", patch.diff},
          {"commit_message", text_or_null(patch.commit_message)},
          {"files", patch.files},
          {"added", patch.added},
          {"removed", patch.removed},
          {"product_code", patch.product_code}};
}

json attempt_to_json(const RepairAttempt& attempt) {
  return {{"verdict", to_string(attempt.verdict)},  {"why", text_or_null(attempt.why)},
          {"patch", patch_to_json(attempt.patch)},  {"checks", checks_to_json(attempt.checks)},
          {"build_seconds", attempt.build_seconds}, {"check_seconds", attempt.check_seconds}};
}

json repair_to_json(const Repair& repair, const Dependence& d, const FixReport& report) {
  json attempts = json::array(), witness = json::array();
  for (const RepairAttempt& attempt : repair.attempts) attempts.push_back(attempt_to_json(attempt));
  for (TestId id : d.witness) witness.push_back(report.suite.test(id).full_name());
  return {{"id", to_string(d.id)},
          {"test", report.suite.test(d.test).full_name()},
          {"role", to_string(d.role)},
          {"witness", std::move(witness)},
          {"repaired", is_repaired(repair, report.fix.repairs)},
          {"accepted", repair.accepted ? json(*repair.accepted) : json()},
          {"gone_by", id_or_null(repair.gone_by)},
          {"why_not", text_or_null(repair.why_not)},
          {"attempts", std::move(attempts)},
          {"inapplicable", inapplicable_to_json(repair.inapplicable)}};
}

}  // namespace

json fix_to_json(const FixReport& report) {
  const FixFacts& fix = report.fix;
  json repairs = json::array(), files = json::array();
  for (std::size_t i = 0; i < fix.repairs.size() && i < report.dependences.size(); ++i) {
    repairs.push_back(repair_to_json(fix.repairs[i], report.dependences[i], report));
  }
  for (const RepairedFile& file : fix.files) {
    files.push_back({{"path", file.path}, {"is_new", !file.before.has_value()}});
  }
  return {{"kind", "fix"},
          {"version", kJsonVersion},
          {"binary", report.binary},
          {"source_root", fix.source_root},
          {"build_command", fix.build_command},
          {"repairs", std::move(repairs)},
          {"diff", text_or_null(fix.diff)},
          {"files", std::move(files)},
          {"commit_message", text_or_null(fix.commit_message)},
          {"checks", checks_to_json(fix.checks)},
          {"random_orders", fix.random_orders},
          {"failing_before", fix.failing_before},
          {"failing_after", fix.failing_after},
          {"applied", report.applied},
          {"diff_file", text_or_null(report.diff_file)},
          {"notices", notices_to_json(report.notices)},
          {"seconds", fix.seconds},
          {"age_seconds", report.age ? json(report.age->count()) : json()},
          {"db", text_or_null(report.db)}};
}

json fixes_to_json(std::span<const FixReport> reports) {
  json list = json::array();
  for (const FixReport& report : reports) list.push_back(fix_to_json(report));
  return {{"kind", "fixes"}, {"version", kJsonVersion}, {"fixes", std::move(list)}};
}

}  // namespace gordian
