// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/step_display.h"

#include <fmt/format.h>

#include <utility>

#include "report/detect_words.h"
#include "report/live_display.h"
#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr std::chrono::seconds kWorthALine{2};

}  // namespace

StepDisplay::StepDisplay(std::string word, const Suite& suite, std::size_t total,
                         LiveScreenOptions options, LiveScreen::Sink sink, LiveScreen::Clock clock)
    : word_(std::move(word)),
      suite_(suite),
      total_(total),
      screen_(*this, std::move(options), std::move(sink), std::move(clock)) {}

StepDisplay::~StepDisplay() {
  finish();
}

void StepDisplay::step(const Dependence& dependence, std::string_view what) {
  now_ = fmt::format("{} {}: {}", to_string(dependence.id),
                     printable_name(suite_.test(dependence.test)), sanitize_line(what));
  detail_.clear();
  screen_.refresh();
}

void StepDisplay::phase(std::string_view what) {
  now_ = sanitize_line(what);
  detail_.clear();
  screen_.refresh();
}

void StepDisplay::detail(std::string_view what) {
  detail_ = sanitize_line(what);
  screen_.refresh();
}

void StepDisplay::done_one() {
  ++done_;
  screen_.refresh();
}

std::vector<StyledLine> StepDisplay::block(std::chrono::nanoseconds elapsed, const Style& style) {
  if (elapsed < kWorthALine) return {};
  StyledLine line;
  line.add(clock_column(word_, elapsed), Ink::bold);
  line.add(fmt::format("{}/{} ", done_, total_));
  const int room = style.width - 1 - line.width();
  line.add(truncate_end(text(), room > 1 ? room : 1, style.ellipsis()));
  return {line};
}

std::string StepDisplay::line(std::chrono::nanoseconds elapsed) {
  return fmt::format("{}{}/{} {}", clock_column(word_, elapsed), done_, total_, text());
}

}  // namespace gordian
