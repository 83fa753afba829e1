// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The terminal as a front end. Live displays of all commands draw on standard error, so that
// reports may go to standard output.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/front_end.h"
#include "cli/command.h"
#include "model/dependence.h"
#include "report/live_display.h"
#include "report/terminal_style.h"

namespace gordian {

inline constexpr int kScreen = 2;

LiveScreenOptions screen_options(const TerminalFacts& terminal);

/// How runs are shown.
struct RunDisplayOptions {
  bool verbose = false;                        ///< a line for every test, and nothing cut
  std::chrono::nanoseconds slow_threshold{0};  ///< 0: nothing is slow
};

class Screen : public FrontEnd {
 public:
  explicit Screen(const CommonOptions& common, RunDisplayOptions runs = {})
      : terminal_(describe_terminal(kScreen, common.color_choice())), runs_(runs) {}

  const Style& style() const { return terminal_.style; }
  /// Whole lines, as they are. No listener may be alive.
  void print(std::string_view text) const;

  std::unique_ptr<RunObserver> run(const RunRequest& request) override;
  std::unique_ptr<SearchListener> search() override;
  std::unique_ptr<StepListener> steps(StepWork work, const Suite& suite,
                                      std::size_t total) override;
  std::unique_ptr<CountListener> count(CountWork work) override;

 private:
  TerminalFacts terminal_;
  RunDisplayOptions runs_;
};

// Work whose results are not shown one by one, as a line at the bottom of the terminal; in a pipe
// as a line every ten seconds. Not thread-safe.

/// The line: a word, the time, what has been done. Who derives says what that is.
class WorkLine : private LiveScreen::Content {
 public:
  WorkLine(const WorkLine&) = delete;
  WorkLine& operator=(const WorkLine&) = delete;
  /// Removes the line. May be called twice.
  void finish() { screen_.finish(); }

 protected:
  WorkLine(std::string word, std::chrono::seconds silence, LiveScreenOptions options,
           LiveScreen::Sink sink, LiveScreen::Clock clock);
  ~WorkLine() override { finish(); }

  /// Safe to print.
  virtual std::string text() const = 0;
  void redraw() { screen_.refresh(); }

 private:
  std::vector<StyledLine> block(std::chrono::nanoseconds elapsed, const Style& style) override;
  std::string line(std::chrono::nanoseconds elapsed) override;

  std::string word_;
  std::chrono::seconds silence_;
  LiveScreen screen_;
};

/// Tests that are run one after another, for data flow, coverage or a check of orders.
class CollectDisplay : public CountListener, public WorkLine {
 public:
  CollectDisplay(std::string word, LiveScreenOptions options, LiveScreen::Sink sink,
                 LiveScreen::Clock clock = std::chrono::steady_clock::now);

  void show(const CollectProgress& progress) override;

 private:
  std::string text() const override;

  CollectProgress progress_;
};

/// Dependences that are explained or repaired. Silent for the first two seconds.
class StepDisplay : public StepListener, public WorkLine {
 public:
  /// `suite` must outlive the display. `word`: "Explain", "Repair".
  StepDisplay(std::string word, const Suite& suite, std::size_t total, LiveScreenOptions options,
              LiveScreen::Sink sink, LiveScreen::Clock clock = std::chrono::steady_clock::now);

  void step(const Dependence& dependence, std::string_view what) override;
  void phase(std::string_view what) override;
  void detail(std::string_view what) override;
  void expect_more(std::size_t count) override { total_ += count; }
  void done_one() override;
  void refresh() override { redraw(); }

 private:
  void begin(std::string now);
  std::string text() const override;

  const Suite& suite_;
  std::size_t total_, done_ = 0;
  std::string now_;     ///< "D2 Cart.T3: comparing state"
  std::string detail_;  ///< "witness"; empty: none
};

}  // namespace gordian
