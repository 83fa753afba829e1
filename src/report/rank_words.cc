// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/rank_words.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/dependence.h"
#include "report/detect_flow.h"
#include "report/detect_words.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

constexpr std::size_t kMostLines = 20;

std::string name_of(const Suite& suite, TestId test) {
  return sanitize_line(suite.test(test).full_name());
}

std::string changed_line(const ChangedResult& changed, const Suite& suite, const Style& style) {
  FlowLine line(2, 6);
  if (is_stored(changed.dependence)) line.word(dependence_words(changed.dependence), Ink::bold);
  line.word("").name(name_of(suite, changed.test)).glue(":");
  line.sentence(fmt::format("{} expected,", to_string(changed.expected.kind))).word("");
  add_result(line, changed.observed, style);
  if (!is_stored(changed.dependence)) line.glue(";").sentence(dependence_words(changed.dependence));
  return line.render(style);
}

std::string list_of(const std::vector<std::pair<TestId, DependenceId>>& list, const Suite& suite,
                    const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < list.size() && i < kMostLines; ++i) {
    FlowLine line(2, 6);
    line.word("").name(name_of(suite, list[i].first)).glue(",");
    line.sentence(list[i].second != kNoDependence
                      ? "because of " + dependence_words(list[i].second)
                      : std::string("because of what its authors have declared"));
    text += line.render(style);
  }
  if (list.size() > kMostLines) text += fmt::format("  and {} more\n", list.size() - kMostLines);
  return text;
}

std::string sentence(const std::string& text, const Style& style) {
  return FlowLine(0, 2).sentence(text).render(style);
}

}  // namespace

std::string dependence_words(DependenceId id) {
  if (is_stored(id)) return to_string(id);
  return id == kUnstored ? "a dependence that was found and not stored"
                         : "no dependence was found that says why";
}

std::string coverage_sentence(const CoverageSource& about, const Style& style) {
  if (about.source.empty()) return {};
  const std::string from = !about.file.empty() ? "from " + sanitize_line(about.file)
                           : about.age         ? "collected " + ago(*about.age)
                                               : std::string("collected now");
  std::string text =
      sentence(fmt::format("Coverage: {}, {}, {}, {}; {}.", about.source,
                           about.way == "alone" ? "each test alone" : "in the default order",
                           count_of(about.statements, "statement"),
                           count_of(about.functions, "function"), from),
               style);
  for (const std::string& notice : about.notices) {
    text += FlowLine(2, 4).sentence(sanitize_line(notice)).render(style);
  }
  return text;
}

std::string notice_lines(const std::vector<Notice>& notices, const Style& style) {
  std::string text;
  for (const Notice& notice : notices) {
    FlowLine line(0, 2);
    line.word("Notice:", notice.level == Notice::Level::warning ? Ink::yellow : Ink::dim);
    text += line.sentence(sanitize_line(notice.text)).render(style);
  }
  return text;
}

std::string checked_lines(const RankedOrder& order, const Suite& suite, const Style& style) {
  if (!order.checked) return {};
  const CheckedOrder& checked = *order.checked;
  std::string text;
  if (checked.changed.empty()) {
    text += sentence(
        fmt::format("Checked by a run: all {} are as expected.", count_of(checked.tests, "result")),
        style);
  } else {
    text += sentence(
        fmt::format("Checked by a run: {} of {} are not as expected, each time it was repeated:",
                    thousands(checked.changed.size()), count_of(checked.tests, "result")),
        style);
  }
  for (std::size_t i = 0; i < checked.changed.size() && i < kMostLines; ++i) {
    text += changed_line(checked.changed[i], suite, style);
  }
  if (checked.changed.size() > kMostLines) {
    text += fmt::format("  and {} more\n", checked.changed.size() - kMostLines);
  }
  for (const ChangedResult& one : checked.nondeterministic) {
    text += FlowLine(2, 6)
                .word("")
                .name(name_of(suite, one.test))
                .sentence(fmt::format("differed in {} of {} runs: non-deterministic, not counted",
                                      one.differ, one.runs))
                .render(style);
  }
  if (checked.not_reached > 0) {
    text += sentence(fmt::format("{} not reached: a test before them ended the process.",
                                 count_of(checked.not_reached, "test was", "tests were")),
                     style);
  }
  if (checked.left_out > 0) {
    text += sentence(fmt::format("{} not compared: non-deterministic, or they end the default "
                                 "order.",
                                 count_of(checked.left_out, "test was", "tests were")),
                     style);
  }
  return text;
}

std::string aware_lines(const RankedOrder& order, const Suite& suite, const Style& style) {
  if (!order.aware) return {};
  const AwareFacts& aware = *order.aware;
  const std::size_t extras = count_extras(order.processes);
  std::string text =
      sentence(fmt::format("Keeps to {}: {}, {}.", count_of(aware.constraints, "constraint"),
                           count_of(order.processes.size(), "process", "processes"),
                           extras == 0 ? "no test runs twice"
                                       : count_of(extras, "run") + " more, for the sake of others"),
               style);
  if (!aware.learned.empty()) {
    std::string numbers;
    for (DependenceId id : aware.learned) numbers += " " + dependence_words(id);
    text += sentence("Checking it has brought to light:" + numbers + ".", style);
  }
  if (!aware.moved.empty()) {
    text += "Not in the first process:\n" + list_of(aware.moved, suite, style);
  }
  if (!aware.impossible.empty()) {
    text += "No process could serve these, so each stands alone:\n" +
            list_of(aware.impossible, suite, style);
  }
  return text;
}

std::string files_lines(const std::vector<std::string>& files, const RankedBinary& of,
                        const Style& style) {
  std::string text;
  for (const std::string& file : files) {
    text += FlowLine(0, 2)
                .word("Run it:")
                .word(fmt::format("gordian run {} --isolate none --order {}",
                                  sanitize_line(shell_word(of.target.binary.string())),
                                  sanitize_line(shell_word(file))),
                      Ink::cyan)
                .render(style);
  }
  return text;
}

}  // namespace gordian
