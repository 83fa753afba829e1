// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/repair.h"

#include <algorithm>
#include <array>

namespace gordian {

std::string_view to_string(Strategy strategy) {
  switch (strategy) {
    case Strategy::own_reset:
      return "own-reset";
    case Strategy::restore:
      return "restore";
    case Strategy::process:
      return "process";
    case Strategy::property:
      return "property";
    case Strategy::fresh:
      return "fresh";
    case Strategy::members:
      return "members";
    case Strategy::copy_setter:
      return "copy-setter";
    case Strategy::cleaner:
      return "cleaner";
    case Strategy::paper:
      return "paper";
    case Strategy::listener:
      return "listener";
    case Strategy::accessor:
      return "accessor";
    case Strategy::declare:
      return "declare";
  }
  return "unknown";
}

std::optional<Strategy> parse_strategy(std::string_view word) {
  for (Strategy strategy : all_strategies()) {
    if (to_string(strategy) == word) return strategy;
  }
  return std::nullopt;
}

const std::vector<Strategy>& all_strategies() {
  static const std::vector<Strategy> all = {
      Strategy::own_reset, Strategy::restore,  Strategy::process,     Strategy::property,
      Strategy::fresh,     Strategy::members,  Strategy::copy_setter, Strategy::cleaner,
      Strategy::paper,     Strategy::listener, Strategy::accessor,    Strategy::declare};
  return all;
}

std::string_view to_string(CheckKind kind) {
  switch (kind) {
    case CheckKind::checks_kept:
      return "checks kept";
    case CheckKind::build:
      return "build";
    case CheckKind::tests_kept:
      return "tests kept";
    case CheckKind::witness:
      return "witness";
    case CheckKind::alone:
      return "alone";
    case CheckKind::other_witnesses:
      return "other witnesses";
    case CheckKind::repaired_before:
      return "repaired before";
    case CheckKind::other_tests:
      return "other tests";
    case CheckKind::reversed:
      return "reversed";
    case CheckKind::default_order:
      return "default order";
    case CheckKind::random_orders:
      return "random orders";
  }
  return "unknown";
}

std::optional<CheckKind> parse_check_kind(std::string_view word) {
  for (int kind = 0; kind <= static_cast<int>(CheckKind::random_orders); ++kind) {
    if (to_string(static_cast<CheckKind>(kind)) == word) return static_cast<CheckKind>(kind);
  }
  return std::nullopt;
}

std::string_view to_string(RepairVerdict verdict) {
  switch (verdict) {
    case RepairVerdict::verified:
      return "verified";
    case RepairVerdict::partly:
      return "partly";
    case RepairVerdict::rejected:
      return "rejected";
    case RepairVerdict::not_built:
      return "not_built";
  }
  return "unknown";
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
