// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/live_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr std::chrono::milliseconds kFrame{50};
constexpr std::chrono::milliseconds kNoBlockBefore{200};  // short work needs no bar
constexpr std::chrono::seconds kSignOfLife{10};
constexpr std::size_t kMaxRunning = 8;
// A test this slow is worth a line while it runs: whoever reads the log of a job that was ended
// wants to know what it was waiting for.
constexpr std::chrono::seconds kSlowWhileRunning{10};

constexpr std::string_view kClearToEndOfLine = "\x1b[K";
constexpr std::string_view kClearBelow = "\x1b[J";

constexpr int kMinBar = 8;
constexpr int kMaxBar = 40;

std::string done_of_total(const Progress& progress) {
  if (progress.total == 0) return thousands(progress.done);
  return fmt::format("{}/{}", thousands(progress.done), thousands(progress.total));
}

/// Longest first, without those that only just started.
std::vector<RunningTest> worth_showing(const Progress& progress) {
  std::vector<RunningTest> shown;
  for (const RunningTest& test : progress.running) {
    if (test.elapsed >= kWorthShowing) shown.push_back(test);
  }
  std::stable_sort(shown.begin(), shown.end(), [](const RunningTest& a, const RunningTest& b) {
    return a.elapsed > b.elapsed;
  });
  return shown;
}

int bar_width(int line_width) {
  constexpr int kNumbers = 30;  // "14,280/14,280, 12m 30s left"
  int room = line_width - kClockColumn - kNumbers;
  return room < kMinBar ? 0 : std::min(room, kMaxBar);
}

StyledLine bar_line(const Progress& progress, const Style& style) {
  StyledLine line;
  line.add(clock_column("Running", progress.elapsed), Ink::bold);
  add_bar(line, progress.done, progress.total,
          progress.counts.failures() > 0 ? Ink::red : Ink::green, style);
  line.add(done_of_total(progress));
  if (auto left = time_left(progress)) line.add(", " + left_text(*left));
  return line;
}

StyledLine running_line(const RunningTest& running, const Suite& suite, const Style& style) {
  int room = style.width - 1 - kClockColumn;
  StyledLine line;
  line.add(clock_column("", running.elapsed), Ink::dim);
  return line.add(
      truncate_middle(printable_name(suite.test(running.test)), room, style.ellipsis()));
}

}  // namespace

LiveScreen::LiveScreen(Content& content, LiveScreenOptions options, Sink sink, Clock clock)
    : content_(content),
      options_(std::move(options)),
      style_{options_.color, options_.unicode, options_.width},
      sink_(std::move(sink)),
      clock_(std::move(clock)),
      started_(clock_()),
      last_output_(started_) {}

void LiveScreen::print(std::string text) {
  if (options_.is_tty && !finished_) {
    pending_ += text;
    maybe_draw();
    return;
  }
  if (!text.empty()) sink_(text);
  if (!finished_) maybe_give_sign(clock_());
}

void LiveScreen::refresh() {
  if (options_.is_tty) {
    maybe_draw();
  } else {
    maybe_give_sign(clock_());
  }
}

void LiveScreen::finish() {
  if (std::exchange(finished_, true) || !options_.is_tty) return;
  if (options_.measure_width) style_.width = options_.measure_width();
  std::string last = erase_block() + std::exchange(pending_, {});
  if (!last.empty()) sink_(last);
}

void LiveScreen::maybe_draw() {
  Time now = clock_();
  if (finished_ || (drew_ && now - last_output_ < kFrame)) return;
  if (pending_.empty() && now - started_ < kNoBlockBefore) return;
  draw(now);
}

void LiveScreen::draw(Time now) {
  if (options_.measure_width) style_.width = options_.measure_width();
  std::vector<StyledLine> lines;
  if (now - started_ >= kNoBlockBefore) lines = content_.block(now - started_, style_);
  if (lines.empty() && pending_.empty()) return;
  std::string frame;
  if (!pending_.empty()) {
    frame = erase_block() + std::exchange(pending_, {});
  } else if (!block_widths_.empty()) {
    // Only the block changes: written over the old one, so that nothing flickers.
    frame = fmt::format("\r\x1b[{}A", block_rows());
    block_widths_.clear();
  }
  if (!lines.empty()) frame += block_text(lines);
  sink_(frame);
  last_output_ = now;
  drew_ = true;
}

/// When the window became narrower meanwhile, terminals have wrapped the lines of the block: it is
/// taller now.
int LiveScreen::block_rows() const {
  int columns = std::max(style_.width, 1);
  int rows = 0;
  for (int width : block_widths_) rows += std::max(1, (width + columns - 1) / columns);
  return rows;
}

/// Line by line from below, and the line of the cursor too: a "^C" may stand there. Clearing all
/// below in one go would make some terminals push the block into their history.
std::string LiveScreen::erase_block() {
  if (block_widths_.empty()) return {};
  std::string codes = "\r\x1b[2K";
  for (int row = block_rows(); row > 0; --row) codes += "\x1b[A\x1b[2K";
  block_widths_.clear();
  return codes;
}

std::string LiveScreen::block_text(const std::vector<StyledLine>& lines) {
  int widest = std::max(style_.width - 1, 1);
  std::string text;
  for (const StyledLine& line : lines) {
    text += line.render(style_, widest);
    text += kClearToEndOfLine;
    text += '\n';
    block_widths_.push_back(std::min(line.width(), widest));
  }
  text += kClearBelow;
  return text;
}

void LiveScreen::maybe_give_sign(Time now) {
  if (now - last_output_ < kSignOfLife) return;
  last_output_ = now;
  sink_(content_.line(now - started_) + "\n");
}

std::string notice_line(const Notice& notice, const Style& style) {
  bool warning = notice.level == Notice::Level::warning;
  StyledLine line;
  line.add(fmt::format("{:>{}} ", warning ? "Warning" : "Note", kStatusWidth),
           warning ? Ink::yellow : Ink::cyan);
  return line.add(sanitize_line(notice.text)).render(style) + "\n";
}

LiveDisplay::LiveDisplay(const Suite& suite, LiveDisplayOptions options, Sink sink, Clock clock)
    : suite_(suite),
      options_(std::move(options)),
      screen_(*this, options_, std::move(sink), std::move(clock)) {}

LiveDisplay::~LiveDisplay() {
  finish();
}

void LiveDisplay::starting(std::size_t tests, const std::string& binary) {
  StyledLine line;
  line.add(fmt::format("{:>{}} ", "Starting", kStatusWidth), Ink::bold);
  line.add(fmt::format("{} of {}", count_of(tests, "test"), sanitize_line(binary)));
  screen_.print(line.render(screen_.style()) + "\n");
}

void LiveDisplay::test_finished(const TestRun& run) {
  ++finished_count_;
  add_outcome(progress_.counts, run.outcome.kind);
  progress_.done = std::max(progress_.done, finished_count_);
  std::erase_if(progress_.running, [&run](const RunningTest& r) { return r.test == run.test; });
  called_slow_.erase(run.test);
  screen_.print(finished_text(run));
}

void LiveDisplay::tick(const std::vector<RunningTest>& running, std::size_t done,
                       std::size_t total) {
  progress_.running = running;
  progress_.done = std::max(done, finished_count_);
  progress_.total = total;
  tell_slow();
  screen_.refresh();
}

/// Each test once.
void LiveDisplay::tell_slow() {
  if (options_.slow_threshold.count() == 0) return;
  const auto threshold =
      std::max<std::chrono::nanoseconds>(options_.slow_threshold, kSlowWhileRunning);
  for (const RunningTest& running : progress_.running) {
    if (running.elapsed < threshold || !called_slow_.insert(running.test).second) continue;
    screen_.print(
        still_running_line(threshold, printable_name(suite_.test(running.test)), screen_.style()) +
        "\n");
  }
}

void LiveDisplay::notice(const Notice& notice) {
  screen_.print(notice_line(notice, screen_.style()));
}

void LiveDisplay::finish() {
  screen_.finish();
}

std::vector<StyledLine> LiveDisplay::block(std::chrono::nanoseconds elapsed, const Style& style) {
  if (progress_.total == 0) return {};
  progress_.elapsed = elapsed;
  std::size_t most =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::max(options_.jobs, 1)), 1, kMaxRunning);
  return progress_block(progress_, suite_, most, style);
}

std::string LiveDisplay::line(std::chrono::nanoseconds elapsed) {
  progress_.elapsed = elapsed;
  return progress_line(progress_, suite_);
}

/// The line or block that a finished test deserves; empty for most.
std::string LiveDisplay::finished_text(const TestRun& run) const {
  const Test& test = suite_.test(run.test);
  const Style& style = screen_.style();
  if (is_failure(run.outcome.kind)) return failure_block(run, test, style, options_.verbose);
  bool timed = options_.slow_threshold.count() > 0;
  bool slow = timed && run.duration >= options_.slow_threshold;
  if (!options_.verbose && !slow && !run.leaks.any()) return {};
  StatusWord status = status_word(run.outcome.kind);
  std::string remark = sanitize_line(first_line(run.outcome.message));
  if (run.leaks.any()) {
    status = {"LEAK", Ink::yellow};
    remark = leaks_text(run.leaks);
  } else if (slow) {
    status = {"SLOW", Ink::yellow};
  }
  return status_line(status, run.duration, printable_name(test), remark, style) + "\n";
}

std::string clock_column(std::string_view word, std::chrono::nanoseconds elapsed) {
  return fmt::format("{:>{}} [{:>10}] ", word, kStatusWidth, human_elapsed(elapsed));
}

void add_bar(StyledLine& line, std::uint64_t done, std::uint64_t total, Ink ink,
             const Style& style) {
  int columns = bar_width(style.width - 1);
  if (columns == 0 || total == 0) return;
  double share = static_cast<double>(std::min(done, total)) / static_cast<double>(total);
  auto full = static_cast<int>(columns * share);
  std::string filled, empty;
  for (int i = 0; i < full; ++i) filled += style.unicode ? "\u2588" : "#";
  for (int i = full; i < columns; ++i) empty += style.unicode ? "\u2591" : ".";
  line.add(filled, ink).add(empty, Ink::dim).add(" ");
}

std::optional<std::chrono::nanoseconds> time_left(std::uint64_t done, std::uint64_t total,
                                                  std::chrono::nanoseconds elapsed) {
  bool guess = elapsed < std::chrono::seconds(1) || done == 0;
  if (guess || done >= total) return std::nullopt;
  double each = static_cast<double>(elapsed.count()) / static_cast<double>(done);
  double left = each * static_cast<double>(total - done);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(left, 9e18)));
}

std::optional<std::chrono::nanoseconds> time_left(const Progress& progress) {
  return time_left(progress.done, progress.total, progress.elapsed);
}

std::string left_text(std::chrono::nanoseconds left) {
  auto seconds = std::chrono::ceil<std::chrono::seconds>(left);
  std::string text =
      seconds.count() < 60 ? fmt::format("{} s", seconds.count()) : human_elapsed(seconds);
  return text + " left";
}

std::vector<StyledLine> progress_block(const Progress& progress, const Suite& suite,
                                       std::size_t max_running, const Style& style) {
  std::vector<StyledLine> lines;
  lines.push_back(bar_line(progress, style));
  StyledLine counts;
  counts.add(std::string(kClockColumn, ' ')).add(counts_line(progress.counts, CountDetail::brief));
  lines.push_back(counts);
  std::vector<RunningTest> running = worth_showing(progress);
  for (std::size_t i = 0; i < std::min(running.size(), max_running); ++i) {
    lines.push_back(running_line(running[i], suite, style));
  }
  if (running.size() > max_running) {
    lines.push_back(StyledLine().add(
        fmt::format("{:{}}and {} more", "", kClockColumn, running.size() - max_running), Ink::dim));
  }
  return lines;
}

std::string progress_line(const Progress& progress, const Suite& suite) {
  std::string line = clock_column("Running", progress.elapsed) + done_of_total(progress) + ": " +
                     counts_line(progress.counts, CountDetail::brief).render({});
  std::vector<RunningTest> running = worth_showing(progress);
  if (!running.empty()) {
    line += fmt::format("; {} runs for {}", printable_name(suite.test(running[0].test)),
                        human_elapsed(running[0].elapsed));
  }
  return line;
}

}  // namespace gordian
