// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is done while dependences are explained or repaired: nothing for the first two seconds, then
// a line at the bottom of the terminal; in a pipe a line every ten seconds. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "app/front_end.h"
#include "model/dependence.h"
#include "report/live_display.h"

namespace gordian {

class StepDisplay : public StepListener, private LiveScreen::Content {
 public:
  /// `suite` must outlive the display. `word`: "Explain", "Repair".
  StepDisplay(std::string word, const Suite& suite, std::size_t total, LiveScreenOptions options,
              LiveScreen::Sink sink, LiveScreen::Clock clock = std::chrono::steady_clock::now);
  ~StepDisplay() override;
  StepDisplay(const StepDisplay&) = delete;
  StepDisplay& operator=(const StepDisplay&) = delete;

  void step(const Dependence& dependence, std::string_view what) override;
  void phase(std::string_view what) override;
  void detail(std::string_view what) override;
  void expect_more(std::size_t count) override { total_ += count; }
  void done_one() override;
  void refresh() override { screen_.refresh(); }
  /// Removes the line. May be called twice.
  void finish() { screen_.finish(); }

 private:
  std::vector<StyledLine> block(std::chrono::nanoseconds elapsed, const Style& style) override;
  std::string line(std::chrono::nanoseconds elapsed) override;
  std::string text() const { return detail_.empty() ? now_ : now_ + ": " + detail_; }

  std::string word_;
  const Suite& suite_;
  std::size_t total_, done_ = 0;
  std::string now_;     ///< "D2 Cart.T3: comparing state"
  std::string detail_;  ///< "witness"; empty: none
  LiveScreen screen_;
};

}  // namespace gordian
