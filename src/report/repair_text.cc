// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/repair_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "report/detect_flow.h"
#include "report/detect_words.h"
#include "report/diff_text.h"
#include "report/outcome_text.h"
#include "report/repair_words.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

constexpr int kIndent = 2;
constexpr int kLabel = 10;  // "verdict   "

FlowLine labelled(std::string_view label) {
  FlowLine line(kIndent, kIndent + kLabel);
  line.glue(fmt::format("{:<{}}", label, kLabel), Ink::dim);
  return line;
}

class Blocks {
 public:
  Blocks(const FixReport& report, bool verbose, const Style& style)
      : report_(report), verbose_(verbose), style_(style) {}

  std::string text() {
    const std::vector<Repair>& repairs = report_.fix.repairs;
    for (std::size_t i = 0; i < repairs.size() && i < report_.dependences.size(); ++i) {
      add_headline(report_.dependences[i]);
      add_repair(repairs[i]);
      text_ += "\n";
    }
    return std::move(text_);
  }

 private:
  void add(const FlowLine& line) { text_ += line.render(style_); }

  void add_headline(const Dependence& d) {
    FlowLine line(0, 4);
    line.glue(to_string(d.id), Ink::bold).glue("  ");
    line.name(printable_name(report_.suite.test(d.test)), Ink::bold);
    add_claim(line, d, report_.suite, "  ");
    add(line);
  }

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
    line.add(fmt::format("{:{}}{:<{}}", "", kIndent, label, kLabel), Ink::dim);
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

}  // namespace

std::string repair_blocks(const FixReport& report, bool verbose, const Style& style) {
  return Blocks(report, verbose, style).text();
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

}  // namespace gordian
