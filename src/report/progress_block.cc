// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/progress_block.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

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
