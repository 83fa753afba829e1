// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/live_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/detect_report.h"
#include "report/outcome_text.h"
#include "report/terminal_style.h"
#include "report/text.h"

namespace gordian {
namespace {

std::uint64_t whole_nanoseconds(std::chrono::nanoseconds time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
}

std::string dependents_text(int dependents) {
  if (dependents == 0) return "no dependent test yet";
  return count_of(static_cast<std::uint64_t>(dependents), "dependent test");
}

FlowLine search_line(std::string_view label, Ink ink) {
  FlowLine line(0, kStatusWidth + 2);
  line.glue(fmt::format("{:>{}}", label, kStatusWidth), ink);
  return line;
}

StyledLine below_the_bar(std::string_view text, Ink ink = Ink::plain) {
  return StyledLine().add(std::string(kClockColumn, ' ')).add(text, ink);
}

/// The budget when there is one: it ends the search for certain, phases follow one another.
StyledLine search_bar_line(const SearchProgress& progress, std::chrono::nanoseconds elapsed,
                           const Style& style) {
  StyledLine line;
  line.add(clock_column("Searching", elapsed), Ink::bold);
  Ink ink = progress.dependents > 0 ? Ink::red : Ink::green;
  if (std::chrono::nanoseconds budget = progress.budget; budget.count() > 0) {
    add_bar(line, whole_nanoseconds(progress.elapsed), whole_nanoseconds(budget), ink, style);
    auto left = std::max(budget - progress.elapsed, std::chrono::nanoseconds(0));
    return line.add("at most " + left_text(left));
  }
  add_bar(line, progress.phase_done, progress.phase_total, ink, style);
  if (progress.phase_total == 0) return line.add("no budget");
  auto done = std::min(progress.phase_done, progress.phase_total);
  auto percent = 100.0 * static_cast<double>(done) / static_cast<double>(progress.phase_total);
  return line.add(
      fmt::format("{} % of {}", static_cast<int>(percent), sanitize_line(progress.algorithm)));
}

}  // namespace

SearchDisplay::SearchDisplay(LiveScreenOptions options, LiveScreen::Sink sink,
                             LiveScreen::Clock clock)
    : is_tty_(options.is_tty),
      screen_(*this, std::move(options), std::move(sink), std::move(clock)) {}

SearchDisplay::~SearchDisplay() {
  finish();
}

void SearchDisplay::search_begins(const DetectFacts& facts) {
  suite_ = facts.suite;
  if (is_tty_) return;
  std::string budget =
      facts.search.budget.count() > 0 ? "budget " + budget_text(facts.search.budget) : "no budget";
  FlowLine line = search_line("Search", Ink::bold);
  line.sentence(count_of(suite_.size(), "test") + " of").word("");
  line.name(sanitize_line(binary_text(facts))).glue(",").sentence(budget);
  screen_.print(line.render_one_line({}));
}

void SearchDisplay::progress(const SearchProgress& progress) {
  if (progress.algorithm != progress_.algorithm) phase_began_ = progress.elapsed;
  progress_ = progress;
  screen_.refresh();
}

void SearchDisplay::phase_ended(const SearchPhase& phase) {
  if (is_tty_) return;  // the summary will tell
  std::string found = phase.found == 0 ? "none" : std::to_string(phase.found);
  screen_.print(fmt::format("{:>{}} {}: {}, {} run in {}, {} found{}\n", "Phase", kStatusWidth,
                            to_string(phase.kind), count_of(phase.orders, "order"),
                            count_of(phase.tests_run, "test"), human_duration(phase.wall), found,
                            phase.finished ? "" : " (not finished)"));
}

void SearchDisplay::found(const Dependence& dependence) {
  FlowLine line = search_line("FOUND", Ink::red);
  line.glue("  ").glue(role_word(dependence.role), Ink::yellow).glue("  ");
  line.name(printable_name(suite_.test(dependence.test)), Ink::bold);
  add_claim(line, dependence, suite_, "  ");
  screen_.print(line.render_one_line(line_style()));
}

void SearchDisplay::found_nondeterministic(const NondeterministicTest& test) {
  FlowLine line = search_line("Differs", Ink::yellow);
  line.word("").name(printable_name(suite_.test(test.test)), Ink::bold);
  line.sentence(nondeterminism_text(test));
  screen_.print(line.render(line_style()));
}

void SearchDisplay::resumed(const DetectFacts& facts) {
  FlowLine line = search_line("Resumes", Ink::bold);
  line.word("").sentence(resumed_sentence(facts));
  screen_.print(line.render(line_style()));
}

void SearchDisplay::notice(const Notice& notice) {
  screen_.print(notice_line(notice, screen_.style()));
}

void SearchDisplay::finish() {
  screen_.finish();
}

/// Of lines that stay: in a pipe nothing is cut.
Style SearchDisplay::line_style() const {
  Style style = screen_.style();
  if (!is_tty_) style.width = 0;
  return style;
}

std::string SearchDisplay::phase_text(bool with_time_left) const {
  if (progress_.algorithm.empty()) return "starting";
  std::string text = sanitize_line(progress_.algorithm) + ": ";
  if (progress_.phase_total == 0) return text + count_of(progress_.phase_done, "order");
  text += fmt::format("{}/{} orders", thousands(progress_.phase_done),
                      thousands(progress_.phase_total));
  auto left =
      time_left(progress_.phase_done, progress_.phase_total, progress_.elapsed - phase_began_);
  return with_time_left && left ? text + ", about " + left_text(*left) : text;
}

std::string SearchDisplay::totals_text() const {
  std::string text = fmt::format("{}, {} run", count_of(progress_.orders, "order"),
                                 count_of(progress_.tests_run, "test"));
  double seconds = std::chrono::duration<double>(progress_.elapsed).count();
  if (seconds < 1) return text;  // a rate would be a guess
  auto rate = static_cast<std::uint64_t>(static_cast<double>(progress_.tests_run) / seconds);
  return text + fmt::format(", {} tests/s", thousands(rate));
}

std::vector<StyledLine> SearchDisplay::block(std::chrono::nanoseconds elapsed, const Style& style) {
  if (progress_.algorithm.empty()) return {};
  std::vector<StyledLine> lines = {search_bar_line(progress_, elapsed, style)};
  lines.push_back(below_the_bar(phase_text(true)));
  lines.push_back(below_the_bar(totals_text()));
  StyledLine last = below_the_bar(dependents_text(progress_.dependents),
                                  progress_.dependents > 0 ? Ink::red : Ink::plain);
  // On the same line: it comes and goes, and the block must not jump.
  std::string doing = sanitize_line(progress_.doing);
  int room = style.width - 1 - last.width() - 2;
  if (!doing.empty()) last.add("; ").add(truncate_middle(doing, room, style.ellipsis()), Ink::dim);
  lines.push_back(last);
  return lines;
}

std::string SearchDisplay::line(std::chrono::nanoseconds elapsed) {
  std::string text = clock_column("Searching", elapsed) + phase_text(false) + "; in all " +
                     totals_text() + "; " + dependents_text(progress_.dependents);
  std::string doing = sanitize_line(progress_.doing);
  return doing.empty() ? text : text + "; " + doing;
}

}  // namespace gordian
