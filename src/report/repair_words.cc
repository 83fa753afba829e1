// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/repair_words.h"

#include <fmt/format.h>

#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

/// Files that the patch adds, by the marks of a diff.
std::size_t new_files(const Patch& patch) {
  std::size_t count = 0;
  for (std::string_view line : split_lines(patch.diff)) count += line == "--- /dev/null" ? 1 : 0;
  return count;
}

void add_part(std::string& text, const std::string& part) {
  text += (text.empty() ? "" : ", ") + part;
}

}  // namespace

VerdictWord verdict_word(RepairVerdict verdict) {
  switch (verdict) {
    case RepairVerdict::verified:
      return {"VERIFIED", Ink::green};
    case RepairVerdict::partly:
      return {"PARTLY", Ink::yellow};
    case RepairVerdict::rejected:
      return {"REJECTED", Ink::red};
    case RepairVerdict::not_built:
      return {"NOT BUILT", Ink::red};
  }
  return {"UNKNOWN", Ink::plain};
}

std::string patch_size_text(const Patch& patch) {
  std::string text(to_string(patch.strategy));
  const auto lines = [](int count) { return count_of(static_cast<std::uint64_t>(count), "line"); };
  std::string size;
  if (patch.added > 0) add_part(size, lines(patch.added) + " added");
  if (patch.removed > 0) add_part(size, lines(patch.removed) + " removed");
  if (new_files(patch) > 0) add_part(size, count_of(new_files(patch), "new file"));
  if (patch.product_code) add_part(size, "touches product code");
  return size.empty() ? text : text + ": " + size;
}

std::string checks_text(const std::vector<RepairCheck>& checks, bool passed) {
  std::string text;
  for (const RepairCheck& check : checks) {
    if (check.passed != passed) continue;
    std::string part(to_string(check.kind));
    if (check.runs > 0) {
      part += fmt::format(" ({})", count_of(static_cast<std::uint64_t>(check.runs), "run"));
    }
    add_part(text, part);
  }
  return text;
}

std::string repaired_sentence(const FixFacts& fix) {
  const std::size_t total = fix.repairs.size();
  std::size_t repaired = 0, partly = 0;
  for (const Repair& repair : fix.repairs) {
    const bool whole = is_repaired(repair, fix.repairs);
    repaired += whole ? 1 : 0;
    partly += !whole && accepted_attempt(repair) != nullptr ? 1 : 0;
  }
  std::string parts;
  if (repaired > 0) add_part(parts, fmt::format("{} repaired and verified", thousands(repaired)));
  if (partly > 0) add_part(parts, fmt::format("{} partly repaired", thousands(partly)));
  const std::size_t rest = total - repaired - partly;
  if (rest > 0) add_part(parts, fmt::format("{} not repaired", thousands(rest)));
  return fmt::format("{}: {}.", count_of(total, "dependence"), parts);
}

std::string random_orders_sentence(const FixFacts& fix) {
  if (fix.random_orders == 0) return "";
  const auto tests = [](int count) {
    return count == 0 ? std::string("none") : count_of(static_cast<std::uint64_t>(count), "test");
  };
  return fmt::format("In {} {} differed before, {} after.",
                     count_of(static_cast<std::uint64_t>(fix.random_orders), "random order"),
                     tests(fix.failing_before), tests(fix.failing_after));
}

}  // namespace gordian
