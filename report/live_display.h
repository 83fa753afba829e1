// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Shows a run while it goes on. On a terminal: finished tests worth a line scroll by, and a block
// at the bottom is redrawn below them, at most 20 times a second. In a pipe: plain lines, no
// control codes, and a sign of life every ten seconds.
//
// The terminal is never left in a state that needs repair: the cursor is never hidden, rests on a
// fresh line below the block, and each frame is one write. Being killed between two frames leaves
// the last block standing and nothing else. Not thread-safe, and not for use in signal handlers.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/listener.h"
#include "report/progress_block.h"
#include "report/terminal_style.h"

namespace gordian {

struct LiveDisplayOptions {
  bool is_tty = false;  ///< a terminal that can be redrawn (TerminalFacts::is_tty)
  int width = 80;
  bool color = false;
  bool unicode = false;
  bool verbose = false;  ///< a line for every test, and nothing cut
  int jobs = 1;
  std::chrono::nanoseconds slow_threshold = std::chrono::seconds(10);  ///< 0: nothing is slow
  /// Asked before each frame, so that resizing the window does no harm; empty: `width` holds.
  std::function<int()> measure_width;
};

class LiveDisplay : public RunListener {
 public:
  using Sink = std::function<void(std::string_view)>;
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// `suite` must outlive the display. The clock of the run starts here.
  LiveDisplay(const Suite& suite, LiveDisplayOptions options, Sink sink,
              Clock clock = std::chrono::steady_clock::now);
  ~LiveDisplay() override;
  LiveDisplay(const LiveDisplay&) = delete;
  LiveDisplay& operator=(const LiveDisplay&) = delete;

  void test_finished(const TestRun& run) override;
  /// `done` and `total` count over all repeats of the run.
  void tick(const std::vector<RunningTest>& running, std::size_t done, std::size_t total) override;
  void notice(const Notice& notice) override;

  /// Prints what is still waiting and removes the block. Call it before printing anything else;
  /// the destructor does too. May be called twice.
  void finish();

 private:
  using Time = std::chrono::steady_clock::time_point;

  std::string finished_text(const TestRun& run) const;
  void print(std::string text);
  void maybe_draw();
  void draw(Time now);
  int block_rows() const;
  std::string erase_block();
  std::string block_text();
  void maybe_print_progress(Time now);

  const Suite& suite_;
  LiveDisplayOptions options_;
  Style style_;
  Sink sink_;
  Clock clock_;
  Time started_;
  Time last_output_;   ///< last frame; in a pipe, the last progress line
  bool drew_ = false;  ///< a frame was ever drawn: last_output_ means something
  bool finished_ = false;
  Progress progress_;
  std::size_t finished_count_ = 0;
  std::string pending_;            ///< lines waiting for the next frame
  std::vector<int> block_widths_;  ///< columns of each line of the block on the screen
};

}  // namespace gordian
