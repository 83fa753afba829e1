// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Shows work while it goes on. On a terminal: lines worth keeping scroll by, and a block at the
// bottom is redrawn below them, at most 20 times a second. In a pipe: plain lines, no control
// codes, and a sign of life every ten seconds. LiveScreen does that for any work, LiveDisplay for a
// run of tests.
//
// The terminal is never left in a state that needs repair: the cursor is never hidden, rests on a
// fresh line below the block, and each frame is one write. Being killed between two frames leaves
// the last block standing and nothing else. Not thread-safe, and not for use in signal handlers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "detect/listener.h"
#include "report/outcome_text.h"
#include "report/terminal_style.h"
#include "runtime/order_runner.h"

namespace gordian {

struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;  ///< 0 while unknown
  OutcomeCounts counts;
  std::chrono::nanoseconds elapsed{0};
  std::vector<RunningTest> running;
};

/// Tests that have run for less than this are not worth a line.
inline constexpr std::chrono::milliseconds kWorthShowing{500};

/// Where the text of each line begins: "  Running [    10.0 s] ".
inline constexpr int kClockColumn = kStatusWidth + 14;
std::string clock_column(std::string_view word, std::chrono::nanoseconds elapsed);

/// Adds the bar and a blank. Its width hangs on the terminal's alone: it must not twitch with the
/// numbers beside it. Nothing in a narrow terminal, or when `total` is 0.
void add_bar(StyledLine& line, std::uint64_t done, std::uint64_t total, Ink ink,
             const Style& style);

/// The time left if the rest goes on as before; nullopt in the first second and before the first
/// result, when that would be a guess.
std::optional<std::chrono::nanoseconds> time_left(std::uint64_t done, std::uint64_t total,
                                                  std::chrono::nanoseconds elapsed);
std::optional<std::chrono::nanoseconds> time_left(const Progress& progress);

/// "9 s left", "12m 30s left": whole seconds, since tenths of an estimate would only flicker.
std::string left_text(std::chrono::nanoseconds left);

/// Bar, counts, and the longest running tests (at most `max_running`), each line no wider than
/// style.width - 1: the last column stays free, so that no terminal wraps.
std::vector<StyledLine> progress_block(const Progress& progress, const Suite& suite,
                                       std::size_t max_running, const Style& style);

/// "  Running [    10.0 s] 812/2,000: 807 passed, 3 failed; Suite.Slow runs for 8.1 s"
std::string progress_line(const Progress& progress, const Suite& suite);

struct LiveScreenOptions {
  bool is_tty = false;  ///< a terminal that can be redrawn (TerminalFacts::is_tty)
  int width = 80;
  bool color = false;
  bool unicode = false;
  /// Asked before each frame, so that resizing the window does no harm; empty: `width` holds.
  std::function<int()> measure_width;
};

class LiveScreen {
 public:
  using Sink = std::function<void(std::string_view)>;
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// What the screen asks of the work it shows.
  class Content {
   public:
    virtual ~Content() = default;
    /// The lines of the block, none wider than style.width - 1; empty while there is nothing to
    /// show.
    virtual std::vector<StyledLine> block(std::chrono::nanoseconds elapsed, const Style& style) = 0;
    /// The sign of life in a pipe, one line without its newline.
    virtual std::string line(std::chrono::nanoseconds elapsed) = 0;
  };

  /// `content` must outlive the screen. The clock starts here.
  LiveScreen(Content& content, LiveScreenOptions options, Sink sink, Clock clock);
  LiveScreen(const LiveScreen&) = delete;
  LiveScreen& operator=(const LiveScreen&) = delete;

  /// Prints whole lines above the block, at the next frame. "" prints nothing but may draw.
  void print(std::string text);
  /// The content has changed: draws a frame, or gives a sign of life, if it is time.
  void refresh();
  /// Prints what is still waiting and removes the block. May be called twice.
  void finish();
  const Style& style() const { return style_; }

 private:
  using Time = std::chrono::steady_clock::time_point;

  void maybe_draw();
  void draw(Time now);
  int block_rows() const;
  std::string erase_block();
  std::string block_text(const std::vector<StyledLine>& lines);
  void maybe_give_sign(Time now);

  Content& content_;
  LiveScreenOptions options_;
  Style style_;
  Sink sink_;
  Clock clock_;
  Time started_;
  Time last_output_;   ///< last frame; in a pipe, the last sign of life
  bool drew_ = false;  ///< a frame was ever drawn: last_output_ means something
  bool finished_ = false;
  std::string pending_;            ///< lines waiting for the next frame
  std::vector<int> block_widths_;  ///< columns of each line of the block on the screen
};

/// "  Warning text" or "     Note text", with its newline.
std::string notice_line(const Notice& notice, const Style& style);

struct LiveDisplayOptions : LiveScreenOptions {
  bool verbose = false;  ///< a line for every test, and nothing cut
  int jobs = 1;
  std::chrono::nanoseconds slow_threshold = std::chrono::seconds(10);  ///< 0: nothing is slow
};

class LiveDisplay : public RunListener, private LiveScreen::Content {
 public:
  using Sink = LiveScreen::Sink;
  using Clock = LiveScreen::Clock;

  /// `suite` must outlive the display. The clock of the run starts here.
  LiveDisplay(const Suite& suite, LiveDisplayOptions options, Sink sink,
              Clock clock = std::chrono::steady_clock::now);
  ~LiveDisplay() override;
  LiveDisplay(const LiveDisplay&) = delete;
  LiveDisplay& operator=(const LiveDisplay&) = delete;

  /// Says what is about to run: `tests` of them, of the program `binary`.
  void starting(std::size_t tests, const std::string& binary);

  void test_finished(const TestRun& run) override;
  /// `done` and `total` count over all repeats of the run.
  void tick(const std::vector<RunningTest>& running, std::size_t done, std::size_t total) override;
  void notice(const Notice& notice) override;

  /// Prints what is still waiting and removes the block. Call it before printing anything else;
  /// the destructor does too. May be called twice.
  void finish();

 private:
  std::vector<StyledLine> block(std::chrono::nanoseconds elapsed, const Style& style) override;
  std::string line(std::chrono::nanoseconds elapsed) override;
  std::string finished_text(const TestRun& run) const;
  void tell_slow();

  const Suite& suite_;
  LiveDisplayOptions options_;
  Progress progress_;
  std::size_t finished_count_ = 0;
  std::set<TestId> called_slow_;  ///< they run, and were called slow already
  LiveScreen screen_;
};

// Shows a search for dependent tests while it goes on. On a terminal: each dependent test scrolls
// by as it is found, and a block below tells the algorithm, the time, the numbers and what is being
// done. In a pipe: a line for each find and each phase, and a sign of life every ten seconds.
// The manners towards the terminal are LiveScreen's. Not thread-safe.

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
  Style line_style() const;
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
