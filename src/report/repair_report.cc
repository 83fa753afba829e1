// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/repair_report.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/detect_report.h"
#include "report/json.h"
#include "report/outcome_text.h"
#include "report/terminal_style.h"
#include "report/text.h"

namespace gordian {
namespace {

using nlohmann::json;

constexpr int kRepairIndent = 2;
constexpr int kRepairLabel = 10;  // "verdict   "

FlowLine labelled(std::string_view label) {
  return labelled_line(label, kRepairIndent, kRepairLabel);
}

class RepairBlocks {
 public:
  RepairBlocks(const FixReport& report, bool verbose, const Style& style)
      : report_(report), verbose_(verbose), style_(style) {}

  std::string text() {
    const std::vector<Repair>& repairs = report_.fix.repairs;
    for (std::size_t i = 0; i < repairs.size() && i < report_.dependences.size(); ++i) {
      add(dependence_headline(report_.dependences[i], report_.suite));
      add_repair(repairs[i]);
      text_ += "\n";
    }
    return std::move(text_);
  }

 private:
  void add(const FlowLine& line) { text_ += line.render(style_); }

  void add_repair(const Repair& repair) {
    const RepairAttempt* accepted = accepted_attempt(repair);
    if (accepted != nullptr) {
      add_accepted(*accepted);
    } else if (is_stored(repair.gone_by)) {
      FlowLine line = labelled("verdict");
      line.glue("VERIFIED", Ink::green).word("", Ink::plain, "  ");
      add(line.continued(fmt::format("goes with the patch for {}", to_string(repair.gone_by))));
    } else {
      FlowLine line = labelled("verdict");
      line.glue("NOT REPAIRED", Ink::yellow).word("", Ink::plain, "  ");
      add(line.continued(sanitize_line(repair.why_not)));
    }
    add_tried(repair, accepted);
    add_inapplicable(repair);
    if (accepted != nullptr && !accepted->patch.diff.empty()) {
      const NewFiles shown = verbose_ ? NewFiles::whole : NewFiles::folded;
      text_ += "\n" + diff_text(accepted->patch.diff, style_, shown);
    }
  }

  void add_accepted(const RepairAttempt& attempt) {
    const auto [word, ink] = verdict_word(attempt.verdict);
    FlowLine line = labelled("verdict");
    line.glue(word, ink).word("", Ink::plain, "  ");
    line.continued(sanitize_line(attempt.patch.summary));
    add(line.sentence(fmt::format("({})", patch_size_text(attempt.patch)), Ink::dim));
    if (attempt.verdict != RepairVerdict::verified && !attempt.why.empty()) {
      add(labelled("but").continued(sanitize_line(attempt.why), Ink::yellow));
    }
    if (!attempt.patch.reason.empty()) {
      add(labelled("reason").continued(sanitize_line(attempt.patch.reason)));
    }
    add_checks(attempt.checks);
  }

  void add_checks(const std::vector<RepairCheck>& checks) {
    const std::string passed = checks_text(checks, true);
    if (!passed.empty()) add(labelled("checked").continued(passed));
    for (const RepairCheck& check : checks) {
      if (check.passed) continue;
      const std::string detail = check.detail.empty() ? "" : ": " + check.detail;
      add(labelled("failed").continued(sanitize_line(std::string(to_string(check.kind)) + detail),
                                       Ink::yellow));
    }
  }

  void add_tried(const Repair& repair, const RepairAttempt* accepted) {
    std::string_view label = "tried";
    for (const RepairAttempt& attempt : repair.attempts) {
      if (&attempt == accepted) continue;
      verbose_ ? add_whole_try(label, attempt) : add_try(label, attempt);
      label = "";
    }
  }

  /// One line; on a terminal it ends where that ends.
  void add_try(std::string_view label, const RepairAttempt& attempt) {
    const auto [word, ink] = verdict_word(attempt.verdict);
    StyledLine line;
    line.add(fmt::format("{:{}}{:<{}}", "", kRepairIndent, label, kRepairLabel), Ink::dim);
    line.add(to_string(attempt.patch.strategy)).add("  ").add(word, ink).add("  ");
    line.add(sanitize_line(first_line(attempt.why)), Ink::dim);
    text_ += line.render(style_, style_.width > 0 ? style_.width - 1 : 0) + "\n";
  }

  void add_whole_try(std::string_view label, const RepairAttempt& attempt) {
    const auto [word, ink] = verdict_word(attempt.verdict);
    FlowLine line = labelled(label);
    line.glue(to_string(attempt.patch.strategy)).word(word, ink, "  ").word("", Ink::plain, "  ");
    add(line.continued(sanitize_line(attempt.why), Ink::dim));
    add_checks(attempt.checks);
    text_ += "\n" + diff_text(attempt.patch.diff, style_) + "\n";
  }

  /// A dependence that nothing repairs deserves all reasons; else they only distract.
  void add_inapplicable(const Repair& repair) {
    if (repair.inapplicable.empty()) return;
    const bool open = repair.attempts.empty() && !is_stored(repair.gone_by);
    if (!verbose_ && !open) return;
    std::string_view label = "no way";
    for (const Inapplicable& one : repair.inapplicable) {
      FlowLine line = labelled(std::exchange(label, ""));
      line.glue(to_string(one.strategy)).word("", Ink::plain, "  ");
      add(line.continued(sanitize_line(one.why), Ink::dim));
    }
  }

  const FixReport& report_;
  bool verbose_;
  const Style& style_;
  std::string text_;
};

/// Not broken and not cut: it is copied.
std::string command_line(const std::string& command, const Style& style) {
  StyledLine line;
  return line.add("  ").add(sanitize_line(command), Ink::cyan).render(style) + "\n";
}

std::string git_apply(const FixReport& report) {
  return fmt::format("git -C {} apply {}", shell_word(report.fix.source_root),
                     shell_word(report.diff_file));
}

std::string plain_line(const std::string& text, const Style& style) {
  return FlowLine(0, 0).sentence(text).render(style);
}

/// Files that the patch adds, by the marks of a diff.
std::size_t new_files(const Patch& patch) {
  std::size_t count = 0;
  for (std::string_view line : split_lines(patch.diff)) count += line == "--- /dev/null" ? 1 : 0;
  return count;
}

void add_part(std::string& text, const std::string& part) {
  text += (text.empty() ? "" : ", ") + part;
}

bool begins_with_any(std::string_view line, std::span<const std::string_view> starts) {
  for (std::string_view start : starts) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

Ink ink_of(std::string_view line, bool in_hunk) {
  static constexpr std::array<std::string_view, 7> kHeads = {
      "diff ", "--- ", "+++ ", "index ", "new file", "old mode", "new mode"};
  if (line.starts_with("@@")) return Ink::cyan;
  if (!in_hunk && begins_with_any(line, kHeads)) return Ink::bold;
  if (line.starts_with("+")) return Ink::green;
  if (line.starts_with("-")) return Ink::red;
  return Ink::plain;
}

/// Of the lines from `at` on, those that only add.
std::size_t added_from(const std::vector<std::string_view>& lines, std::size_t at) {
  std::size_t end = at;
  while (end < lines.size() && lines[end].starts_with('+')) ++end;
  return end - at;
}

json repair_to_json(const Repair& repair, const Dependence& d, const FixReport& report) {
  json value = to_json(repair, JsonForm::shown);
  value["id"] = to_string(d.id);
  value["test"] = report.suite.test(d.test).full_name();
  value["role"] = to_string(d.role);
  value["witness"] = names_json(d.witness, report.suite);
  value["repaired"] = is_repaired(repair, report.fix.repairs);
  return value;
}

}  // namespace

std::string repair_blocks(const FixReport& report, bool verbose, const Style& style) {
  return RepairBlocks(report, verbose, style).text();
}

std::string repair_next_steps(const FixReport& report, const Style& style) {
  const FixFacts& fix = report.fix;
  if (fix.files.empty()) return "";
  std::string text;
  if (!fix.commit_message.empty()) {
    text += paint("Commit message", Ink::dim, style.color) + "\n";
    text += excerpt(fix.commit_message, "  ", {});
    text += "\n";
  }
  const std::string root = sanitize_line(fix.source_root);
  const std::string files = count_of(fix.files.size(), "file");
  if (report.applied) {
    text += plain_line(fmt::format("{} in {} changed. Build it again.", files, root), style);
  } else if (!report.diff_file.empty()) {
    text += plain_line(fmt::format("Nothing in {} was changed. To apply the patch:", root), style);
    text += command_line(git_apply(report), style);
  } else {
    text += plain_line(fmt::format("Nothing in {} was changed. To apply the patch:", root), style);
    text += command_line(report.apply_command, style);
  }
  return text + "\n";
}

std::string repair_verdict(const FixReport& report, const Style& style) {
  const FixFacts& fix = report.fix;
  bool all = true;
  for (const Repair& repair : fix.repairs) all = all && is_repaired(repair, fix.repairs);
  FlowLine line(0, 2);
  line.sentence(repaired_sentence(fix), all ? Ink::green : Ink::yellow);
  line.sentence(random_orders_sentence(fix));
  if (report.age) {
    line.sentence(fmt::format("Made {}; --again makes it anew.", ago(*report.age)), Ink::dim);
  }
  return line.render(style);
}

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

std::string diff_text(std::string_view diff, const Style& style, NewFiles new_files) {
  std::string text;
  bool in_hunk = false;  // where "--- x" is a removed line
  bool is_new = false;
  const std::vector<std::string_view> lines = split_lines(diff);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (line.starts_with("diff ")) in_hunk = false;
    if (!in_hunk && line.starts_with("--- ")) is_new = line.starts_with("--- /dev/null");
    if (line.starts_with("@@")) in_hunk = true;
    if (line.ends_with('\r')) line.remove_suffix(1);
    text += paint(sanitize_text(line), ink_of(line, in_hunk), style.color) + "\n";
    const std::size_t added =
        in_hunk && is_new && line.starts_with("@@") ? added_from(lines, i + 1) : 0;
    if (new_files == NewFiles::whole || added <= kLongNewFile) continue;
    text += paint(fmt::format("[{} of a new file: -v shows them]", count_of(added, "line")),
                  Ink::dim, style.color) +
            "\n";
    i += added;
  }
  return text;
}

json fix_to_json(const FixReport& report) {
  const FixFacts& fix = report.fix;
  json repairs = json::array();
  json files = json::array();
  for (std::size_t i = 0; i < fix.repairs.size() && i < report.dependences.size(); ++i) {
    repairs.push_back(repair_to_json(fix.repairs[i], report.dependences[i], report));
  }
  for (const auto& [path, file] : fix.files) {
    files.push_back({{"path", path}, {"is_new", !file.before.has_value()}});
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
          {"checks", checks_to_json(fix.checks, JsonForm::shown)},
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

}  // namespace gordian
