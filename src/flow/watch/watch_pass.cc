// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/watch_pass.h"

#include <algorithm>
#include <unordered_map>

#include "flow/watch/call_watcher.h"
#include "flow/watch/word_watcher.h"
#include "model/stack.h"
#include "state/process_image.h"
#include "state/state_calls.h"

namespace gordian {
namespace {

using Clock = Tracer::Clock;

bool is_memory(TraceKind kind) {
  return kind == TraceKind::write || kind == TraceKind::read || kind == TraceKind::read_write;
}

class PassRunner {
 public:
  PassRunner(std::span<const Order> orders, const PassRequest& request,
             const PassSettings& settings)
      : orders_(orders), request_(request), settings_(settings), calls_(request, settings) {
    std::size_t total = 0;
    for (const Order& order : orders) {
      first_.push_back(total);
      total += order.size();
    }
    results_.resize(total);
  }

  void at_hold(const Executor::EachHold& hold) {
    if (error_ || hold.position == orders_[hold.order].size() || settings_.should_stop()) {
      return detach();
    }
    const std::size_t index = first_[hold.order] + hold.position;
    Status ran = run_test(hold.process, index);
    if (!ran) {
      error_ = ran.error();
      detach();
    }
    settings_.test_done();
  }

  Result<std::vector<PositionReads>> take() {
    detach();
    if (error_) return *error_;
    return std::move(results_);
  }

 private:
  void detach() {
    tracer_.reset();
    traced_ = 0;
  }

  Status attach(pid_t pid) {
    if (tracer_ && traced_ == pid) return {};
    detach();
    auto attached = Tracer::attach(pid);
    if (!attached) return attached.error();
    tracer_.emplace(std::move(*attached));
    traced_ = pid;
    children_ = 0;
    calls_.begin_process();
    return {};
  }

  Status run_test(HeldProcess& held, std::size_t index) {
    if (Status attached = attach(held.pid()); !attached) return attached;
    PositionReads& result = results_[index];
    WordWatcher words(*tracer_, request_, index, result);
    if (Status armed = words.arm(); !armed) return armed;
    if (Status armed = calls_.begin_test(*tracer_, index); !armed) return armed;
    held.let_go();
    Status followed = follow(held, words, result);
    if (!followed || !tracer_) return followed;
    words.finish();
    result.started_process |= tracer_->children_started() > children_;
    children_ = tracer_->children_started();
    return {};
  }

  /// Until the process waits before its next test, or is gone.
  Status follow(HeldProcess& held, WordWatcher& words, PositionReads& result) {
    const auto deadline =
        settings_.patience.count() > 0
            ? Clock::now() + std::chrono::duration_cast<Clock::duration>(settings_.patience)
            : Clock::time_point::max();
    for (;;) {
      auto event =
          tracer_->next(deadline, [&] { return held.held_again() || settings_.should_stop(); });
      if (!event) return event.error();
      if (is_memory(event->kind)) {
        if (Status seen = words.on_event(*event); !seen) return seen;
      } else if (event->kind == TraceKind::function || event->kind == TraceKind::syscall) {
        if (Status seen = calls_.on_event(*tracer_, *event, result); !seen) return seen;
      } else {
        end_test(*event, held, words, result);
        return {};
      }
    }
  }

  void end_test(const TraceEvent& event, HeldProcess& held, WordWatcher& words,
                PositionReads& result) {
    const bool exited = event.kind == TraceKind::exited;
    result.seen_to_end = exited || (event.kind == TraceKind::stopped && held.held_again());
    result.started_process |= event.replaced;
    if (result.seen_to_end && !exited) return;
    words.finish();
    detach();
  }

  std::span<const Order> orders_;
  const PassRequest& request_;
  const PassSettings& settings_;
  CallWatcher calls_;
  std::vector<std::size_t> first_;  ///< position of each order's first test
  std::vector<PositionReads> results_;
  std::optional<Tracer> tracer_;
  pid_t traced_ = 0;
  std::uint64_t children_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<PositionReads>> run_pass(Executor& executor, std::span<const Order> orders,
                                            const PassRequest& request,
                                            const PassSettings& settings) {
  PassRunner runner(orders, request, settings);
  auto run =
      executor.run_held_each(orders, [&](const Executor::EachHold& hold) { runner.at_hold(hold); });
  if (!run) return run.error();
  return runner.take();
}

}  // namespace gordian
