// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Shows how tests are run one after another, for data flow, coverage or a check of orders: a line
// at the bottom of the terminal, in a pipe a line every ten seconds. Not thread-safe.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "app/front_end.h"
#include "report/live_display.h"

namespace gordian {

class CollectDisplay : public CountListener, private LiveScreen::Content {
 public:
  CollectDisplay(LiveScreenOptions options, LiveScreen::Sink sink,
                 LiveScreen::Clock clock = std::chrono::steady_clock::now,
                 std::string word = "Collect");
  ~CollectDisplay() override;
  CollectDisplay(const CollectDisplay&) = delete;
  CollectDisplay& operator=(const CollectDisplay&) = delete;

  void show(const CollectProgress& progress) override;
  /// Removes the line. May be called twice.
  void finish() { screen_.finish(); }

 private:
  std::vector<StyledLine> block(std::chrono::nanoseconds elapsed, const Style& style) override;
  std::string line(std::chrono::nanoseconds elapsed) override;
  std::string text() const;

  std::string word_;
  CollectProgress progress_;
  LiveScreen screen_;
};

}  // namespace gordian
