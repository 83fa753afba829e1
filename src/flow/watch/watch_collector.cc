// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/watch_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "flow/flow_builder.h"
#include "flow/watch/collected_states.h"
#include "state/memory_history.h"
#include "symbols/variable_index.h"

namespace gordian {
namespace {

/// One collection of WatchCollector, from the first run to the finished DataFlow.
class WatchWork {
 public:
  WatchWork(Executor& executor, ProgramMemory& program, StackCache& stacks,
            const WatchOptions& options, std::function<bool()> should_stop,
            std::function<void(const CollectProgress&)> progress);

  Result<DataFlow> in_order(const Order& order);
  Result<DataFlow> alone(const Order& tests);

 private:
  using Clock = std::chrono::steady_clock;

  bool out_of_time() const;
  void say(std::string doing);
  void test_done();
  std::string name_of(TestId test) const { return executor_.suite().test(test).full_name(); }

  /// The first run: what each test leaves changed.
  Status read_effects(std::span<const Order> orders);
  void at_hold(const Executor::EachHold& hold);
  void hold_alone(const Executor::EachHold& hold);
  void hold_in_order(const Executor::EachHold& hold);
  void take_effect(std::size_t position, NetEffect effect);

  /// The other runs: who reads it.
  Status watch(std::span<const Order> orders, const CollectedStates& states);
  std::vector<WordWatch> words_to_watch(const CollectedStates& states) const;
  Status run_passes(std::span<const Order> orders, const CollectedStates& states,
                    const WatchPlan& plan);
  void take(const std::vector<PositionReads>& pass);

  // What alone() must add to be on the safe side.
  void read_by_all(const CollectedStates& states);
  void add_first_uses(const FirstUses& uses, CollectedStates& states);
  void add_suite_fixtures(const Order& tests, CollectedStates& states);

  /// Everything that was seen, test by test. Whoever records accesses to files adds them here,
  /// behind begin() of the test; until then readers of files are a miss, and in alone() everybody.
  void tell_tests(const Order& tests, const CollectedStates& states, FlowBuilder& builder);
  void tell_misses(const CollectedStates& states, FlowBuilder& builder) const;
  Site with_test(Site site, TestId test) const;

  Executor& executor_;
  ProgramMemory& program_;
  StackCache& stacks_;
  const WatchOptions& options_;
  std::function<bool()> should_stop_;
  std::function<void(const CollectProgress&)> progress_;
  Clock::time_point begin_ = Clock::now();
  CollectProgress tally_;

  bool alone_ = false;
  bool loaded_ = false;
  EffectReader reader_;
  MemoryHistory history_;  ///< in_order()
  std::optional<StateMoment> before_;
  std::vector<NetEffect> effects_;  ///< by position
  std::vector<bool> effect_seen_;
  std::vector<PositionReads> reads_;
  std::set<std::size_t> unwatched_;  ///< states of which a word was left out
  std::uint64_t passes_ = 0;
};

constexpr std::string_view kEnvironSymbol = "environ";

bool is_of_files(const NetChange& change) {
  switch (change.what.key.kind()) {
    case CarrierKind::file:
    case CarrierKind::cwd:
    case CarrierKind::umask:
      return true;
    default:
      return false;
  }
}

/// What the C library keeps in a stream of its own: places in its buffer, and flags that the first
/// write sets. Where the stream leads to is what a test can notice of it.
bool is_inside_stream(const NetChange& change) {
  const std::string& name = change.what.key.name();
  for (std::string_view stream : {"stdin->", "stdout->", "stderr->"}) {
    if (name.starts_with(stream)) return name != std::string(stream) + "_fileno";
  }
  return false;
}

/// Whether everybody who reads such a state passes one of the calls that are caught.
bool readers_are_caught(const CollectedState& state) {
  if (state.what.key.kind() == CarrierKind::environment) return true;
  return state.what.key.kind() == CarrierKind::mapping && !state.events.reading_calls.empty();
}

WatchWork::WatchWork(Executor& executor, ProgramMemory& program, StackCache& stacks,
                     const WatchOptions& options, std::function<bool()> should_stop,
                     std::function<void(const CollectProgress&)> progress)
    : executor_(executor),
      program_(program),
      stacks_(stacks),
      options_(options),
      should_stop_(std::move(should_stop)),
      progress_(std::move(progress)),
      reader_(program) {}

bool WatchWork::out_of_time() const {
  return options_.budget.count() > 0 && Clock::now() - begin_ > options_.budget;
}

void WatchWork::say(std::string doing) {
  tally_.doing = std::move(doing);
  progress_(tally_);
}

void WatchWork::test_done() {
  ++tally_.done;
  progress_(tally_);
}

Status WatchWork::read_effects(std::span<const Order> orders) {
  std::size_t total = 0;
  for (const Order& order : orders) total += order.size();
  effects_.resize(total);
  effect_seen_.resize(total, false);
  reads_.resize(total);
  tally_.total = total;
  say("reading state");
  auto runs =
      executor_.run_held_each(orders, [&](const Executor::EachHold& hold) { at_hold(hold); });
  if (!runs) return runs.error();
  ++passes_;
  if (should_stop_()) return Error{ErrorKind::interrupted, "stopped", ""};
  for (std::size_t i = 0; i < total; ++i) {
    if (!effect_seen_[i]) effects_[i].unsure = "it did not come to its end";
  }
  return {};
}

void WatchWork::at_hold(const Executor::EachHold& hold) {
  if (!loaded_) program_.load(hold.process, executor_.executable());
  loaded_ = true;
  if (alone_) {
    hold_alone(hold);
  } else {
    hold_in_order(hold);
  }
}

void WatchWork::hold_alone(const Executor::EachHold& hold) {
  if (hold.position == 0) {
    if (before_) return;
    before_ = StateMoment::read(hold.process, options_.files);
    before_->keep(hold.process);
  } else if (before_) {
    const StateMoment now = StateMoment::read(hold.process, options_.files);
    take_effect(hold.order, reader_.compare(hold.process, *before_, now));
  }
}

void WatchWork::hold_in_order(const Executor::EachHold& hold) {
  HeldProcess& held = hold.process;
  StateMoment now = StateMoment::read(held, options_.files, history_.now());
  history_.advance(held.pid(), held.before(), now.mappings, now.external.children > 0);
  if (before_) {
    take_effect(hold.position - 1, reader_.compare_on(held, *before_, now, history_.changed()));
  }
  before_ = std::move(now);
  before_->move_to(history_.before());
}

void WatchWork::take_effect(std::size_t position, NetEffect effect) {
  effects_[position] = std::move(effect);
  auto& changes = effects_[position].changes;
  if (!options_.files) std::erase_if(changes, is_of_files);
  if (!alone_) std::erase_if(changes, is_inside_stream);
  effect_seen_[position] = true;
  test_done();
}

std::vector<WordWatch> WatchWork::words_to_watch(const CollectedStates& states) const {
  std::vector<WordWatch> words = states.words();
  // Whoever goes through the list of variables by himself, past getenv(), may read any of them.
  WordWatch list;
  for (std::size_t i = 0; i < states.states().size(); ++i) {
    if (states.states()[i].what.key.kind() == CarrierKind::environment) list.states.push_back(i);
  }
  auto address = list.states.empty() ? std::nullopt : program_.function_named(kEnvironSymbol);
  if (address) {
    list.watch = {*address, 8, true};
    list.to = reads_.size();
    list.outside_libc = true;
    words.insert(words.begin(), list);
  }
  return words;
}

Status WatchWork::watch(std::span<const Order> orders, const CollectedStates& states) {
  WatchPlan plan = plan_watches(words_to_watch(states), reads_.size(), options_.most_passes);
  unwatched_.insert(plan.left_out.begin(), plan.left_out.end());
  if (plan.passes.empty() && (alone_ || !states.calls().empty())) plan.passes.emplace_back();
  tally_.total += plan.passes.size() * reads_.size();
  return run_passes(orders, states, plan);
}

Status WatchWork::run_passes(std::span<const Order> orders, const CollectedStates& states,
                             const WatchPlan& plan) {
  PassSettings settings;
  settings.function_named = [this](std::string_view name) { return program_.function_named(name); };
  settings.patience = options_.engine.limits.test_timeout;
  settings.should_stop = should_stop_;
  settings.test_done = [this] { test_done(); };
  for (std::size_t i = 0; i < plan.passes.size(); ++i) {
    if (out_of_time()) {
      for (const WordWatch& word : plan.passes[i]) {
        unwatched_.insert(word.states.begin(), word.states.end());
      }
      continue;
    }
    say(fmt::format("watching {} of {}", i + 1, plan.passes.size()));
    PassRequest request;
    request.words = plan.passes[i];
    if (i == 0) request.calls = states.calls();
    request.unseen_calls = alone_ && i == 0;
    request.sites = options_.sites && !alone_;
    request.cautious = alone_;
    request.kernel = alone_ ? KernelAccess::caught : KernelAccess::ignored;
    request.is_writer = [&](std::size_t position, std::size_t state) {
      return states.writes(position, state);
    };
    request.stacks = &stacks_;
    auto pass = run_pass(executor_, orders, request, settings);
    if (!pass) return pass.error();
    if (should_stop_()) return Error{ErrorKind::interrupted, "stopped", ""};
    ++passes_;
    take(*pass);
  }
  return {};
}

void WatchWork::take(const std::vector<PositionReads>& pass) {
  for (std::size_t i = 0; i < pass.size(); ++i) {
    const PositionReads& seen = pass[i];
    for (const auto& [state, site] : seen.reads) reads_[i].reads.try_emplace(state, site);
    for (const auto& [state, site] : seen.writes) reads_[i].writes.try_emplace(state, site);
    std::string& unsure = effects_[i].unsure;
    if (seen.started_process && unsure.empty())
      unsure = "it started a process, which is not watched";
    if (seen.unseen_call && unsure.empty()) {
      unsure = "it made a system call whose effect cannot be compared";
    }
    if (!seen.seen_to_end && unsure.empty()) unsure = "it was not watched to its end";
  }
}

/// Before the states that are added later, whose readers are known.
void WatchWork::read_by_all(const CollectedStates& states) {
  for (std::size_t i = 0; i < states.states().size(); ++i) {
    const CollectedState& state = states.states()[i];
    const bool seen = state.in_memory ? !state.partial : readers_are_caught(state);
    if (seen && !unwatched_.contains(i)) continue;
    for (PositionReads& test : reads_) test.reads.try_emplace(i);
  }
}

void WatchWork::add_first_uses(const FirstUses& uses, CollectedStates& states) {
  for (const FirstUses::Disputed& disputed : uses.disputed()) {
    for (const auto& [position, change] : disputed.writes) {
      const std::size_t state = states.add_alone(position, change);
      for (std::size_t user : disputed.users) reads_[user].reads.try_emplace(state);
    }
  }
}

/// Two tests of one suite share its set-up, and its tear-down comes after both: what the one leaves
/// there for the other is not to be seen when each runs alone.
void WatchWork::add_suite_fixtures(const Order& tests, CollectedStates& states) {
  if (!has_suite_fixtures(program_.own_modules())) return;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    NetChange change;
    change.what.key = {CarrierKind::variable,
                       NameKey{"set-up of suite " + executor_.suite().test(tests[i]).suite}};
    reads_[i].reads.try_emplace(states.add_alone(i, change));
  }
}

Site WatchWork::with_test(Site site, TestId test) const {
  site.test = name_of(test);
  return site;
}

void WatchWork::tell_tests(const Order& tests, const CollectedStates& states,
                           FlowBuilder& builder) {
  std::vector<StateId> ids;
  for (const CollectedState& state : states.states()) ids.push_back(builder.state(state.what));
  for (std::size_t i = 0; i < tests.size(); ++i) {
    builder.begin(tests[i]);
    if (!effects_[i].unsure.empty()) builder.unsure(effects_[i].unsure);
    for (const auto& [state, site] : reads_[i].reads) {
      builder.read(ids[state], site ? std::optional(with_test(*site, tests[i])) : std::nullopt);
    }
    for (std::size_t state : states.writes_of(i)) {
      auto site = reads_[i].writes.find(state);
      const bool known = site != reads_[i].writes.end();
      builder.wrote(ids[state],
                    known ? std::optional(with_test(site->second, tests[i])) : std::nullopt);
    }
  }
}

void WatchWork::tell_misses(const CollectedStates& states, FlowBuilder& builder) const {
  for (std::size_t i = 0; i < states.states().size(); ++i) {
    const CollectedState& state = states.states()[i];
    const std::string name = state.what.key.text();
    if (unwatched_.contains(i)) {
      builder.misses(
          fmt::format("not every word of {} was watched: the passes were used up", name));
    } else if (state.partial) {
      builder.misses(fmt::format("{} is too large to be watched as a whole", name));
    } else if (state.what.key.kind() == CarrierKind::file) {
      builder.misses(fmt::format("who reads the file {} is not seen", name));
    } else if (!state.in_memory && state.events.readers.empty() &&
               state.events.reading_calls.empty()) {
      builder.misses(fmt::format("who notices {} is not seen", name));
    }
  }
  const bool by_calls =
      std::any_of(states.states().begin(), states.states().end(), [](const CollectedState& state) {
        return !state.in_memory && state.what.key.kind() != CarrierKind::environment;
      });
  if (by_calls && !alone_) {
    builder.misses("of state outside of memory only those are seen who ask for it by a call");
  }
  for (const std::string& note : program_.notes()) builder.misses(note);
}

Result<DataFlow> WatchWork::in_order(const Order& order) {
  const std::vector<Order> orders{order};
  if (Status read = read_effects(orders); !read) return read.error();
  CollectedStates states(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const NetChange& change : effects_[i].changes) {
      if (!change.first_use) states.add_in_order(i, change);
    }
  }
  if (Status watched = watch(orders, states); !watched) return watched.error();
  FlowBuilder builder(FlowSource::watch, false);
  tell_tests(order, states, builder);
  builder.misses("what the kernel reads for a test from watched memory is not seen");
  tell_misses(states, builder);
  return builder.take(passes_, begin_);
}

Result<DataFlow> WatchWork::alone(const Order& tests) {
  alone_ = true;
  const std::vector<Order> orders = each_alone(tests);
  if (Status read = read_effects(orders); !read) return read.error();
  CollectedStates states(tests.size());
  FirstUses first_uses;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    for (const NetChange& change : effects_[i].changes) {
      if (change.first_use) {
        first_uses.add(i, change);
      } else {
        states.add_alone(i, change);
      }
    }
  }
  if (Status watched = watch(orders, states); !watched) return watched.error();
  read_by_all(states);
  add_first_uses(first_uses, states);
  add_suite_fixtures(tests, states);
  FlowBuilder builder(FlowSource::watch, true);
  tell_tests(tests, states, builder);
  builder.misses("what only libraries, the framework or the stack of main() reach is not followed");
  tell_misses(states, builder);
  return builder.take(passes_, begin_);
}

}  // namespace

WatchCollector::WatchCollector(WatchOptions options)
    : options_(std::move(options)), program_(default_cache_dir()) {}

Result<std::unique_ptr<WatchCollector>> WatchCollector::open(const Target& target,
                                                             const Inspection& inspection,
                                                             WatchOptions options) {
  ExecutorOptions& engine = options.engine;
  engine.snapshots = engine.verify_snapshots = false;
  engine.jobs = 1;
  engine.same_addresses = true;  // what is learnt in one run holds for the next
  std::unique_ptr<WatchCollector> collector(new WatchCollector(std::move(options)));
  ExecutorOptions used = collector->options_.engine;
  used.should_stop = [self = collector.get()] {
    return self->options_.engine.should_stop() || self->should_stop();
  };
  auto executor = Executor::open(target, inspection.elf, inspection.framework, used);
  if (!executor) return executor.error();
  collector->executor_ = std::move(*executor);
  return collector;
}

Result<DataFlow> WatchCollector::in_order(const Order& order) {
  WatchWork work(*executor_, program_, stacks_, options_, should_stop, progress);
  return work.in_order(order);
}

Result<DataFlow> WatchCollector::alone(const Order& tests) {
  WatchWork work(*executor_, program_, stacks_, options_, should_stop, progress);
  return work.alone(tests);
}

}  // namespace gordian
