// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/work_display.h"

#include <fmt/format.h>

#include <utility>

#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {

using std::chrono::nanoseconds;
using std::chrono::seconds;

WorkLine::WorkLine(std::string word, seconds silence, LiveScreenOptions options,
                   LiveScreen::Sink sink, LiveScreen::Clock clock)
    : word_(std::move(word)),
      silence_(silence),
      screen_(*this, std::move(options), std::move(sink), std::move(clock)) {}

std::vector<StyledLine> WorkLine::block(nanoseconds elapsed, const Style& style) {
  if (elapsed < silence_) return {};
  StyledLine line;
  line.add(clock_column(word_, elapsed), Ink::bold);
  const int room = style.width - 1 - line.width();
  line.add(truncate_end(text(), room > 1 ? room : 1, style.ellipsis()));
  return {line};
}

std::string WorkLine::line(nanoseconds elapsed) {
  return clock_column(word_, elapsed) + text();
}

CollectDisplay::CollectDisplay(std::string word, LiveScreenOptions options, LiveScreen::Sink sink,
                               LiveScreen::Clock clock)
    : WorkLine(std::move(word), seconds(0), std::move(options), std::move(sink), std::move(clock)) {
}

void CollectDisplay::show(const CollectProgress& progress) {
  progress_ = progress;
  redraw();
}

std::string CollectDisplay::text() const {
  std::string tests = thousands(progress_.done);
  if (progress_.total > 0) tests += "/" + thousands(progress_.total);
  return fmt::format("{} tests run{}{}", tests, progress_.doing.empty() ? "" : ", ",
                     sanitize_line(progress_.doing));
}

StepDisplay::StepDisplay(std::string word, const Suite& suite, std::size_t total,
                         LiveScreenOptions options, LiveScreen::Sink sink, LiveScreen::Clock clock)
    : WorkLine(std::move(word), seconds(2), std::move(options), std::move(sink), std::move(clock)),
      suite_(suite),
      total_(total) {}

void StepDisplay::begin(std::string now) {
  now_ = std::move(now);
  detail_.clear();
  redraw();
}

void StepDisplay::step(const Dependence& dependence, std::string_view what) {
  begin(fmt::format("{} {}: {}", to_string(dependence.id),
                    printable_name(suite_.test(dependence.test)), sanitize_line(what)));
}

void StepDisplay::phase(std::string_view what) {
  begin(sanitize_line(what));
}

void StepDisplay::detail(std::string_view what) {
  detail_ = sanitize_line(what);
  redraw();
}

void StepDisplay::done_one() {
  ++done_;
  redraw();
}

std::string StepDisplay::text() const {
  return fmt::format("{}/{} {}{}{}", done_, total_, now_, detail_.empty() ? "" : ": ", detail_);
}

}  // namespace gordian
