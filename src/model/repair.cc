// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/repair.h"

#include <algorithm>

#include "base/enum_words.h"

namespace gordian {
namespace {

constexpr EnumWords<Strategy, 12> kStrategyWords = {{
    {Strategy::own_reset, "own-reset"},
    {Strategy::restore, "restore"},
    {Strategy::process, "process"},
    {Strategy::property, "property"},
    {Strategy::fresh, "fresh"},
    {Strategy::members, "members"},
    {Strategy::copy_setter, "copy-setter"},
    {Strategy::cleaner, "cleaner"},
    {Strategy::paper, "paper"},
    {Strategy::listener, "listener"},
    {Strategy::accessor, "accessor"},
    {Strategy::declare, "declare"},
}};

constexpr EnumWords<CheckKind, 11> kCheckWords = {{
    {CheckKind::checks_kept, "checks kept"},
    {CheckKind::build, "build"},
    {CheckKind::tests_kept, "tests kept"},
    {CheckKind::witness, "witness"},
    {CheckKind::alone, "alone"},
    {CheckKind::other_witnesses, "other witnesses"},
    {CheckKind::repaired_before, "repaired before"},
    {CheckKind::other_tests, "other tests"},
    {CheckKind::reversed, "reversed"},
    {CheckKind::default_order, "default order"},
    {CheckKind::random_orders, "random orders"},
}};

constexpr EnumWords<RepairVerdict, 4> kVerdictWords = {{
    {RepairVerdict::verified, "verified"},
    {RepairVerdict::partly, "partly"},
    {RepairVerdict::rejected, "rejected"},
    {RepairVerdict::not_built, "not_built"},
}};

}  // namespace

std::string_view to_string(Strategy strategy) {
  return word_in(kStrategyWords, strategy);
}

std::optional<Strategy> parse_strategy(std::string_view word) {
  return value_in(kStrategyWords, word);
}

const std::vector<Strategy>& all_strategies() {
  static const std::vector<Strategy> all = [] {
    std::vector<Strategy> strategies;
    for (const auto& [strategy, word] : kStrategyWords) strategies.push_back(strategy);
    return strategies;
  }();
  return all;
}

std::string_view to_string(CheckKind kind) {
  return word_in(kCheckWords, kind);
}

std::optional<CheckKind> parse_check_kind(std::string_view word) {
  return value_in(kCheckWords, word);
}

std::string_view to_string(RepairVerdict verdict) {
  return word_in(kVerdictWords, verdict);
}

std::optional<RepairVerdict> parse_repair_verdict(std::string_view word) {
  return value_in(kVerdictWords, word);
}

const RepairAttempt* accepted_attempt(const Repair& repair) {
  if (!repair.accepted || *repair.accepted >= repair.attempts.size()) return nullptr;
  return &repair.attempts[*repair.accepted];
}

bool is_repaired(const Repair& repair, const std::vector<Repair>& all) {
  const Repair* owner = &repair;
  if (is_stored(repair.gone_by)) {
    auto other = std::find_if(all.begin(), all.end(), [&repair](const Repair& candidate) {
      return candidate.dependence == repair.gone_by;
    });
    if (other == all.end()) return false;
    owner = &*other;
  }
  const RepairAttempt* attempt = accepted_attempt(*owner);
  return attempt != nullptr && attempt->verdict == RepairVerdict::verified;
}

}  // namespace gordian
