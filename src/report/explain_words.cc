// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/state_kinds.h"
#include "report/outcome_text.h"
#include "report/stack_fold.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

constexpr int kLongestInSentence = 40;  // a longer value makes a sentence unreadable

std::string value_text(const std::optional<std::string>& value, CarrierKind kind) {
  return value ? sanitize_line(*value) : std::string(row_of(kind).absence);
}

/// "g_balance reset to 0", "LANG unset", "the working directory put back".
std::string reset_text(const Carrier& carrier) {
  const std::string name = sanitize_line(carrier.key.text());
  if (!carrier.old_value) return fmt::format("{} {}", name, row_of(carrier.key.kind()).restored);
  const std::string old = sanitize_line(*carrier.old_value);
  if (old.empty() || display_width(old) > kLongestInSentence) return name + " put back";
  return fmt::format("{} reset to {}", name, old);
}

/// "after A.B", "after A.B and C.D", "after these tests", "between its two runs".
std::string moment_text(const Dependence& dependence, const Suite& suite) {
  if (dependence.role == Role::self_dependent) return "between its two runs";
  if (dependence.by.size() == 1) {
    return "after " + printable_name(suite.test(dependence.by.front()));
  }
  return fmt::format("after these {} tests", dependence.by.size());
}

/// What the test then does: its result alone, or a pass after what it needs.
std::string then_text(const Dependence& dependence) {
  if (!dependence.passes_after.empty()) return "passes";
  switch (dependence.alone.kind) {
    case OutcomeKind::pass:
      return "passes";
    case OutcomeKind::fail:
      return "fails as alone";
    case OutcomeKind::skip:
      return "skips itself";
    case OutcomeKind::crash:
      return "crashes as alone";
    default:
      return "has its result alone";
  }
}

/// The text has the noun in it already, which need not be said twice.
bool has_noun(const std::string& text, std::string_view noun) {
  return text.find(noun) != std::string::npos;
}

std::string role_count(Role role, std::size_t count) {
  switch (role) {
    case Role::victim:
      return count_of(count, "victim");
    case Role::brittle:
      return count_of(count, "brittle test");
    case Role::self_dependent:
      break;
  }
  return count_of(count, "self-dependent test");
}

}  // namespace

std::string carrier_details(const Carrier& carrier) {
  std::string text;
  auto add = [&text](std::string_view part) {
    if (part.empty()) return;
    if (!text.empty()) text += ", ";
    text += part;
  };
  const StateKindRow& kind = row_of(carrier.key.kind());
  const bool said = has_noun(carrier.key.text(), kind.noun);  // "the working directory"
  if (kind.kind != CarrierKind::variable && !said) add(kind.noun);
  add(sanitize_line(carrier.type));
  add(place_text(carrier.file, carrier.line));
  return text.empty() ? text : "(" + text + ")";
}

std::string values_text(const Carrier& carrier, int indent, const Style& style) {
  if (!carrier.old_value && !carrier.new_value) return {};
  std::string before = value_text(carrier.old_value, carrier.key.kind());
  std::string after = value_text(carrier.new_value, carrier.key.kind());
  if (style.width > 0) {
    constexpr int kArrow = 4;
    const int room = std::max(style.width - 1 - indent - kArrow, 20);
    const int fair = room / 2, need = display_width(before), other = display_width(after);
    // A short one leaves its room to the other.
    before = truncate_end(before, std::max(fair, room - other), style.ellipsis());
    after = truncate_end(after, std::max(fair, room - need), style.ellipsis());
  }
  return before + " -> " + after;
}

std::string proof_text(const Dependence& dependence, const Explanation& explanation,
                       const Suite& suite) {
  std::vector<std::string> resets;
  for (const Carrier& carrier : explanation.carriers) {
    if (carrier.proved) resets.push_back(reset_text(carrier));
  }
  std::string times = explanation.proofs == 1
                          ? std::string("one run")
                          : fmt::format("{} runs, always the same", explanation.proofs);
  std::string text = fmt::format("with {} {} the test {} ({})", enumeration(resets),
                                 moment_text(dependence, suite), then_text(dependence), times);
  if (resets.size() > 1) text += "; it takes all of them";
  return text;
}

std::string no_proof_text(const Explanation& explanation) {
  std::string why = sanitize_line(explanation.why_not);
  if (why.empty()) why = "no reason is known";
  return (explanation.carriers.empty() ? "not explained: " : "suspected, not proved: ") + why;
}

std::string group_text(const std::vector<Role>& roles, const std::vector<Carrier>& carriers) {
  std::vector<std::string> counts, names;
  for (Role role : {Role::victim, Role::brittle, Role::self_dependent}) {
    const auto count = std::count(roles.begin(), roles.end(), role);
    if (count > 0) counts.push_back(role_count(role, static_cast<std::size_t>(count)));
  }
  bool one_kind = true;
  for (const Carrier& carrier : carriers) {
    one_kind = one_kind && carrier.key.kind() == carriers.front().key.kind();
    names.push_back(sanitize_line(carrier.key.text()));
  }
  std::string what = "carriers";
  if (one_kind && carriers.size() == 1) what = row_of(carriers.front().key.kind()).noun;
  if (one_kind && carriers.size() > 1 && carriers.front().key.kind() == CarrierKind::variable) {
    what = "variables";
  }
  return fmt::format("{}, {} {}: {}", enumeration(counts), carriers.size(), what,
                     enumeration(names));
}

std::string explained_sentence(std::span<const Explanation* const> explanations) {
  std::size_t proved = 0, suspected = 0;
  for (const Explanation* explanation : explanations) {
    if (explanation->proved) ++proved;
    if (!explanation->proved && !explanation->carriers.empty()) ++suspected;
  }
  const std::size_t rest = explanations.size() - proved - suspected;
  std::vector<std::string> parts;
  if (proved > 0) parts.push_back(fmt::format("{} explained with proof", proved));
  if (suspected > 0) parts.push_back(fmt::format("{} suspected", suspected));
  if (rest > 0) parts.push_back(fmt::format("{} not explained", rest));
  return fmt::format("{}: {}.", count_of(explanations.size(), "dependence"),
                     fmt::join(parts, ", "));
}

}  // namespace gordian
