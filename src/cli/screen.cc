// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/screen.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/files.h"
#include "report/live_display.h"
#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

/// The display of a run begins once its suite is known.
class RunOnScreen : public RunObserver {
 public:
  explicit RunOnScreen(LiveDisplayOptions options) : options_(std::move(options)) {}

  Status run_begins(const RunFacts& facts, const Order& order) override {
    suite_ = facts.suite;
    display_.emplace(suite_, options_, sink_to(kScreen));
    display_->starting(order.size(), facts.header.target.binary.string());
    return {};
  }
  Status repeat_begins(int, const Order&) override { return {}; }
  void test_finished(const TestRun& run) override { display_->test_finished(run); }
  void tick(const std::vector<RunningTest>& running, std::size_t done, std::size_t total) override {
    display_->tick(running, done, total);
  }
  void notice(const Notice& notice) override {
    if (display_) display_->notice(notice);
  }

 private:
  LiveDisplayOptions options_;
  Suite suite_;
  std::optional<LiveDisplay> display_;
};

}  // namespace

LiveScreenOptions screen_options(const TerminalFacts& terminal) {
  LiveScreenOptions options;
  options.is_tty = terminal.is_tty;
  options.width = terminal.style.width > 0 ? terminal.style.width : 80;
  options.color = terminal.style.color;
  options.unicode = terminal.style.unicode;
  options.measure_width = [] {
    return choose_width(ask_terminal_width(kScreen), process_environment());
  };
  return options;
}

void Screen::print(std::string_view text) const {
  sink_to(kScreen)(text);
}

std::unique_ptr<RunObserver> Screen::run(const RunRequest& request) {
  LiveDisplayOptions live;
  static_cast<LiveScreenOptions&>(live) = screen_options(terminal_);
  live.verbose = runs_.verbose;
  live.jobs = request.engine.jobs;
  live.slow_threshold = runs_.slow_threshold;
  return std::make_unique<RunOnScreen>(std::move(live));
}

std::unique_ptr<SearchListener> Screen::search() {
  return std::make_unique<SearchDisplay>(screen_options(terminal_), sink_to(kScreen));
}

std::unique_ptr<StepListener> Screen::steps(StepWork work, const Suite& suite, std::size_t total) {
  return std::make_unique<StepDisplay>(work == StepWork::explain ? "Explain" : "Repair", suite,
                                       total, screen_options(terminal_), sink_to(kScreen));
}

std::unique_ptr<CountListener> Screen::count(CountWork work) {
  const char* word = work == CountWork::check     ? "Check"
                     : work == CountWork::measure ? "Measure"
                                                  : "Collect";
  return std::make_unique<CollectDisplay>(word, screen_options(terminal_), sink_to(kScreen));
}

using std::chrono::nanoseconds;
using std::chrono::seconds;

WorkLine::WorkLine(std::string word, seconds silence, LiveScreenOptions options,
                   LiveScreen::Sink sink, LiveScreen::Clock clock)
    : word_(std::move(word)),
      silence_(silence),
      screen_(*this, std::move(options), std::move(sink), std::move(clock)) {}

std::vector<StyledLine> WorkLine::block(nanoseconds elapsed, const Style& style) {
  if (elapsed < silence_) return {};
  StyledLine line;
  line.add(clock_column(word_, elapsed), Ink::bold);
  const int room = style.width - 1 - line.width();
  line.add(truncate_end(text(), room > 1 ? room : 1, style.ellipsis()));
  return {line};
}

std::string WorkLine::line(nanoseconds elapsed) {
  return clock_column(word_, elapsed) + text();
}

CollectDisplay::CollectDisplay(std::string word, LiveScreenOptions options, LiveScreen::Sink sink,
                               LiveScreen::Clock clock)
    : WorkLine(std::move(word), seconds(0), std::move(options), std::move(sink), std::move(clock)) {
}

void CollectDisplay::show(const CollectProgress& progress) {
  progress_ = progress;
  redraw();
}

std::string CollectDisplay::text() const {
  std::string tests = thousands(progress_.done);
  if (progress_.total > 0) tests += "/" + thousands(progress_.total);
  return fmt::format("{} tests run{}{}", tests, progress_.doing.empty() ? "" : ", ",
                     sanitize_line(progress_.doing));
}

StepDisplay::StepDisplay(std::string word, const Suite& suite, std::size_t total,
                         LiveScreenOptions options, LiveScreen::Sink sink, LiveScreen::Clock clock)
    : WorkLine(std::move(word), seconds(2), std::move(options), std::move(sink), std::move(clock)),
      suite_(suite),
      total_(total) {}

void StepDisplay::begin(std::string now) {
  now_ = std::move(now);
  detail_.clear();
  redraw();
}

void StepDisplay::step(const Dependence& dependence, std::string_view what) {
  begin(fmt::format("{} {}: {}", to_string(dependence.id),
                    printable_name(suite_.test(dependence.test)), sanitize_line(what)));
}

void StepDisplay::phase(std::string_view what) {
  begin(sanitize_line(what));
}

void StepDisplay::detail(std::string_view what) {
  detail_ = sanitize_line(what);
  redraw();
}

void StepDisplay::done_one() {
  ++done_;
  redraw();
}

std::string StepDisplay::text() const {
  return fmt::format("{}/{} {}{}{}", done_, total_, now_, detail_.empty() ? "" : ": ", detail_);
}

}  // namespace gordian
