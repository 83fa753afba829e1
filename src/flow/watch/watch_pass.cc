// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/watch_pass.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "model/stack.h"
#include "state/external/external_kinds.h"
#include "state/process_image.h"

namespace gordian {

std::vector<StackFrame> StackCache::describe(Tracer& tracer,
                                             std::span<const FrameAddress> addresses) {
  std::vector<StackFrame> frames;
  for (const FrameAddress& address : addresses) {
    auto [known, fresh] = known_.try_emplace(address.at);
    if (fresh) known->second = tracer.describe(std::span(&address, 1));
    frames.insert(frames.end(), known->second.begin(), known->second.end());
  }
  return frames;
}

namespace {

/// One pass being filled: how many words each test has.
class Pass {
 public:
  explicit Pass(std::size_t positions) : used_(positions, 0) {}

  bool has_room(const WordWatch& word) const {
    return std::all_of(used_.begin() + static_cast<std::ptrdiff_t>(word.from),
                       used_.begin() + static_cast<std::ptrdiff_t>(word.to),
                       [](std::size_t used) { return used < kMaxWatches; });
  }
  void add(WordWatch word) {
    for (std::size_t i = word.from; i < word.to; ++i) ++used_[i];
    words_.push_back(std::move(word));
  }
  std::vector<WordWatch> take() { return std::move(words_); }

 private:
  std::vector<std::size_t> used_;
  std::vector<WordWatch> words_;
};

/// Words that are the same become one for the longer time; the place of the first stays.
std::vector<WordWatch> merged(std::span<const WordWatch> words) {
  std::vector<WordWatch> result;
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::vector<std::size_t>> known;
  for (const WordWatch& word : words) {
    if (word.from >= word.to) continue;
    auto& same = known[{word.watch.address, word.watch.size}];
    auto twin = std::find_if(same.begin(), same.end(), [&](std::size_t i) {
      return result[i].from < word.to && word.from < result[i].to &&
             (result[i].states == word.states ||
              (result[i].from == word.from && result[i].to == word.to));
    });
    if (twin == same.end()) {
      same.push_back(result.size());
      result.push_back(word);
      continue;
    }
    WordWatch& one = result[*twin];
    one.from = std::min(one.from, word.from);
    one.to = std::max(one.to, word.to);
    one.settles = one.settles && word.settles;
    one.watch.reads |= word.watch.reads;
    for (std::size_t state : word.states) {
      if (std::find(one.states.begin(), one.states.end(), state) == one.states.end()) {
        one.states.push_back(state);
      }
    }
  }
  return result;
}

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

std::vector<Watch> watches_for(ByteRange range) {
  std::vector<Watch> watches;
  for (std::uint64_t at = range.begin; at < range.end();) {
    std::uint8_t size = 8;
    while (at % size != 0 || at + size > range.end()) size /= 2;
    watches.push_back({at, size, true});
    at += size;
  }
  return watches;
}

WatchPlan plan_watches(std::span<const WordWatch> words, std::size_t positions,
                       std::size_t most_passes) {
  std::vector<Pass> passes;
  std::set<std::size_t> left_out;
  for (WordWatch& word : merged(words)) {
    auto room = std::find_if(passes.begin(), passes.end(),
                             [&](const Pass& pass) { return pass.has_room(word); });
    if (room == passes.end()) {
      if (passes.size() == most_passes) {
        left_out.insert(word.states.begin(), word.states.end());
        continue;
      }
      room = passes.emplace(passes.end(), positions);
    }
    room->add(std::move(word));
  }
  WatchPlan plan;
  for (Pass& pass : passes) plan.passes.push_back(pass.take());
  plan.left_out.assign(left_out.begin(), left_out.end());
  return plan;
}

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
