// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Shows a collection of data flow while it goes on: a line at the bottom of the terminal, in a pipe
// a line every ten seconds. Not thread-safe.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "report/live_display.h"
#include "trace/collector.h"

namespace gordian {

class CollectDisplay : private LiveScreen::Content {
 public:
  CollectDisplay(LiveScreenOptions options, LiveScreen::Sink sink,
                 LiveScreen::Clock clock = std::chrono::steady_clock::now);
  ~CollectDisplay() override;
  CollectDisplay(const CollectDisplay&) = delete;
  CollectDisplay& operator=(const CollectDisplay&) = delete;

  void show(const CollectProgress& progress);
  /// Removes the line. May be called twice.
  void finish() { screen_.finish(); }

 private:
  std::vector<StyledLine> block(std::chrono::nanoseconds elapsed, const Style& style) override;
  std::string line(std::chrono::nanoseconds elapsed) override;
  std::string text() const;

  CollectProgress progress_;
  LiveScreen screen_;
};

}  // namespace gordian
