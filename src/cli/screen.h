// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The terminal as a front end. Live displays of all commands draw on standard error, so that
// reports may go to standard output.
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "app/front_end.h"
#include "cli/command.h"
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

}  // namespace gordian
