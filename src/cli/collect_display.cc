// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/collect_display.h"

#include <fmt/format.h>

#include <utility>

#include "report/live_display.h"
#include "report/text.h"

namespace gordian {

CollectDisplay::CollectDisplay(LiveScreenOptions options, LiveScreen::Sink sink,
                               LiveScreen::Clock clock, std::string word)
    : word_(std::move(word)),
      screen_(*this, std::move(options), std::move(sink), std::move(clock)) {}

CollectDisplay::~CollectDisplay() {
  finish();
}

void CollectDisplay::show(const CollectProgress& progress) {
  progress_ = progress;
  screen_.refresh();
}

std::string CollectDisplay::text() const {
  std::string tests = thousands(progress_.done);
  if (progress_.total > 0) tests += "/" + thousands(progress_.total);
  return fmt::format("{} tests run{}{}", tests, progress_.doing.empty() ? "" : ", ",
                     sanitize_line(progress_.doing));
}

std::vector<StyledLine> CollectDisplay::block(std::chrono::nanoseconds elapsed,
                                              const Style& style) {
  StyledLine line;
  line.add(clock_column(word_, elapsed), Ink::bold);
  const int room = style.width - 1 - line.width();
  line.add(truncate_end(text(), room > 1 ? room : 1, style.ellipsis()));
  return {line};
}

std::string CollectDisplay::line(std::chrono::nanoseconds elapsed) {
  return clock_column(word_, elapsed) + text();
}

}  // namespace gordian
