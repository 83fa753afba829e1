// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/screen.h"

#include <optional>

#include "base/files.h"
#include "cli/work_display.h"
#include "report/live_display.h"

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

}  // namespace gordian
