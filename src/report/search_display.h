// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Shows a search for dependent tests while it goes on. On a terminal: each dependent test scrolls
// by as it is found, and a block below tells the algorithm, the time, the numbers and what is being
// done. In a pipe: a line for each find and each phase, and a sign of life every ten seconds.
// The manners towards the terminal are LiveScreen's. Not thread-safe.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "detect/listener.h"
#include "report/live_display.h"

namespace gordian {

class SearchDisplay : public SearchListener, private LiveScreen::Content {
 public:
  /// The clock of the search starts here.
  SearchDisplay(LiveScreenOptions options, LiveScreen::Sink sink,
                LiveScreen::Clock clock = std::chrono::steady_clock::now);
  ~SearchDisplay() override;
  SearchDisplay(const SearchDisplay&) = delete;
  SearchDisplay& operator=(const SearchDisplay&) = delete;

  /// Must come before found() and found_nondeterministic(): it brings the tests' names.
  void search_begins(const DetectFacts& facts) override;
  void progress(const SearchProgress& progress) override;
  void phase_ended(const SearchPhase& phase) override;
  void found(const Dependence& dependence) override;
  void found_nondeterministic(const NondeterministicTest& test) override;
  void resumed(const DetectFacts& facts) override;
  void notice(const Notice& notice) override;

  /// Prints what is still waiting and removes the block. Call it before printing anything else;
  /// the destructor does too. May be called twice.
  void finish();

 private:
  std::vector<StyledLine> block(std::chrono::nanoseconds elapsed, const Style& style) override;
  std::string line(std::chrono::nanoseconds elapsed) override;
  std::string phase_text(bool with_time_left) const;
  std::string totals_text() const;

  bool is_tty_;
  Suite suite_;  ///< a copy: names are needed until the last line
  SearchProgress progress_;
  std::chrono::nanoseconds phase_began_{
      0};  ///< progress_.elapsed when its algorithm was first seen
  LiveScreen screen_;
};

}  // namespace gordian
