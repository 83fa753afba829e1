// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/repair.h"

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

namespace {

constexpr std::array<std::string_view, 11> kCheckWords = {
    "checks kept", "build",           "tests kept",      "witness",
    "alone",       "other witnesses", "repaired before", "other tests",
    "reversed",    "default order",   "random orders",
};

}  // namespace

std::string_view to_string(CheckKind kind) {
  return kCheckWords[static_cast<std::size_t>(kind)];
}

std::optional<CheckKind> parse_check_kind(std::string_view word) {
  for (std::size_t i = 0; i < kCheckWords.size(); ++i) {
    if (kCheckWords[i] == word) return static_cast<CheckKind>(i);
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

std::optional<RepairVerdict> parse_repair_verdict(std::string_view word) {
  for (RepairVerdict verdict : {RepairVerdict::verified, RepairVerdict::partly,
                                RepairVerdict::rejected, RepairVerdict::not_built}) {
    if (to_string(verdict) == word) return verdict;
  }
  return std::nullopt;
}

}  // namespace gordian
