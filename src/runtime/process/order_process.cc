// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/order_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/native/children.h"
#include "wire/check.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostOutput = std::uint64_t{8} << 20;  // of one step, to judge it by

Error cannot(const char* what) {
  return internal_error(fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

Result<UniqueFd> memory_file(const char* name) {
  UniqueFd fd(::memfd_create(name, MFD_CLOEXEC));
  if (!fd.valid()) return cannot("make a file in memory");
  return fd;
}

/// flock() belongs to an open file, which forks share: each taker opens it anew.
UniqueFd locked(const UniqueFd& file, int how) {
  UniqueFd own(::open(fmt::format("/proc/self/fd/{}", file.get()).c_str(), O_RDWR | O_CLOEXEC));
  while (own.valid() && ::flock(own.get(), how) != 0 && errno == EINTR) {
  }
  return own;
}

struct Pipe {
  UniqueFd out, in;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    out.reset(ends[0]);
    in.reset(ends[1]);
    return true;
  }
};

}  // namespace

Result<ResourceLocks> ResourceLocks::make(const ProcessSuite& suite) {
  ResourceLocks locks;
  auto alone = memory_file("gordian-serial");
  if (!alone) return alone.error();
  locks.alone_ = std::move(*alone);
  std::vector<std::string> names;
  for (const ProcessStep& step : suite.steps()) {
    names.insert(names.end(), step.entry.resource_lock.begin(), step.entry.resource_lock.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) {
    auto file = memory_file("gordian-lock");
    if (!file) return file.error();
    locks.named_.emplace_back(name, std::move(*file));
  }
  return locks;
}

/// In one sequence for all, so that nobody waits for somebody who waits for him.
std::vector<UniqueFd> ResourceLocks::take(const CtestEntry& entry) const {
  std::vector<UniqueFd> held;
  held.push_back(locked(alone_, entry.run_serial ? LOCK_EX : LOCK_SH));
  for (const auto& [name, file] : named_) {
    const auto& wanted = entry.resource_lock;
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    held.push_back(locked(file, LOCK_EX));
  }
  return held;
}

/// What the watch is told with: as if one worker ran the order by a plan.
struct OrderProcess::Watched {
  explicit Watched(const Order& order)
      : memory((sizeof(gordian_wire::Header) + order.size() * sizeof(std::int32_t)) / 8 + 1) {
    header().plan_offset = sizeof(gordian_wire::Header);
    header().tokens = static_cast<std::uint32_t>(order.size());
    auto* plan = reinterpret_cast<std::int32_t*>(reinterpret_cast<char*>(memory.data()) +
                                                 header().plan_offset);
    for (std::size_t i = 0; i < order.size(); ++i) {
      plan[i] = static_cast<std::int32_t>(order[i].value());
    }
  }
  gordian_wire::Header& header() { return *reinterpret_cast<gordian_wire::Header*>(memory.data()); }

  std::vector<std::uint64_t> memory;
  gordian_wire::Report report{};
  SentListener listener;
  bool have_listener = false;
  std::optional<StepEvent> begun;
  pid_t serving = -1;
};

ProcessEnd end_of(const StepEvent& event, const CtestEntry& entry) {
  return {event.wait_status, event.timed_out != 0, event.printed_too_much != 0, event.start_error,
          event.missing_file != 0 ? entry.required_files.at(event.missing_file - 1) : ""};
}

std::string output_between(int file, std::uint64_t begin, std::uint64_t end) {
  std::string text(std::min(end - begin, kMostOutput), '\0');
  const ssize_t n = ::pread(file, text.data(), text.size(), static_cast<off_t>(begin));
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

std::chrono::nanoseconds time_limit(const OrderPlan& plan, const StepEvent& event) {
  const auto& own = plan.limits.own_timeouts;
  const std::size_t test = plan.order[event.position].value();
  if (event.is_test != 0 && test < own.size() && own[test]) return *own[test];
  const CtestEntry& entry = plan.suite.step(event.step).entry;
  if (entry.timeout.count() > 0) return entry.timeout;
  return plan.limits.test_timeout;
}

OrderProcess::OrderProcess(const OrderPlan& plan, UniqueFd output)
    : plan_(plan), run_{plan.order, {}}, output_(std::move(output)) {
  for (TestId test : plan.order) run_.runs.emplace_back(test);
}

Result<std::unique_ptr<OrderProcess>> OrderProcess::start(const OrderPlan& plan) {
  auto output = memory_file("gordian-output");
  if (!output) return output.error();
  std::unique_ptr<OrderProcess> process(new OrderProcess(plan, std::move(*output)));
  Pipe events, go;
  if (!events.open() || !go.open()) return cannot("make a pipe");
  UniqueFd theirs;
  std::optional<WatchFilter> filter;
  if (plan.watch != nullptr) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return cannot("connect");
    process->channel_.reset(ends[0]);
    theirs.reset(ends[1]);
    process->watched_ = std::make_unique<Watched>(plan.order);
    filter.emplace(process->watched_->header(), theirs.get());
  }
  KeeperChannels channels{events.in.get(), process->output_.get(),      go.out.get(),
                          theirs.get(),    filter ? &*filter : nullptr, ::getpid()};
  process->keeper_ = ::fork();
  if (process->keeper_ == 0) {
    events.out.reset();  // else it would never see that we are gone
    go.in.reset();
    keep_order(process->plan_, channels);
  }
  if (process->keeper_ < 0) return cannot("fork");
  register_child(process->keeper_);
  ::fcntl(events.out.get(), F_SETFL, O_NONBLOCK);
  process->events_ = std::move(events.out);
  process->go_ = std::move(go.in);
  return process;
}

OrderProcess::~OrderProcess() {
  close();
}

/// The keeper ends its children first. Should it not be able to, we do.
void OrderProcess::close() {
  if (keeper_ <= 0) return;
  constexpr auto kPatience = std::chrono::seconds(5);
  ::kill(keeper_, SIGTERM);
  ::kill(keeper_, SIGCONT);  // to hear it
  const auto since = Clock::now();
  while (::waitpid(keeper_, nullptr, WNOHANG) == 0) {
    if (Clock::now() - since > kPatience) ::kill(keeper_, SIGKILL);
    ::poll(nullptr, 0, 1);
  }
  unregister_child(keeper_);
  keeper_ = -1;
  end_orphans();
  if (watched_ && watched_->serving > 0) plan_.watch->ended(watched_->serving);
  events_.reset();
  channel_.reset();
}

void OrderProcess::take_listener() {
  pollfd waits{channel_.get(), POLLIN, 0};
  if (!channel_.valid() || ::poll(&waits, 1, 0) <= 0) return;
  watched_->listener = receive_listener(channel_.get());
  watched_->have_listener = watched_->listener.listener.valid();
  if (watched_->listener.error != 0) plan_.watch->refused(watched_->listener.error);
  if (!watched_->have_listener && watched_->listener.error == 0) channel_.reset();
}

/// A step is watched once both its number and its listener are here.
void OrderProcess::try_to_watch() {
  if (!watched_ || !watched_->have_listener || !watched_->begun) return;
  gordian_wire::WorkerState& worker = watched_->report.worker[0];
  gordian_wire::WorkerState now{};
  now.pid = static_cast<std::uint32_t>(watched_->begun->pid);
  now.slot = watched_->begun->position;
  worker.slot = now.slot;
  worker.check = check_of(now, 0, watched_->header().nonce);
  __atomic_store_n(&worker.pid, now.pid, __ATOMIC_RELEASE);
  watched_->serving = watched_->begun->pid;
  plan_.watch->started(watched_->serving, std::move(watched_->listener.listener),
                       watched_->header(), watched_->report);
  watched_->have_listener = false;
  watched_->begun.reset();
}

void OrderProcess::look_after() {
  constexpr auto kLong = std::chrono::seconds(1), kGrace = std::chrono::seconds(10);
  const auto now = Clock::now();
  if (is_over() || now - woken_ < kLong) return;
  woken_ = now;
  wake_ancestors(running_ ? begun_.pid : keeper_, keeper_);
  if (!running_) return;
  const auto limit = time_limit(plan_, begun_);
  if (limit.count() <= 0 || now - running_->second < limit + kGrace) return;
  TestRun& run = run_.runs.at(begun_.position);
  run.outcome.kind = OutcomeKind::timeout;
  run.duration = now - running_->second;
  finished_.push_back(begun_.position);
  running_.reset();
  close();
}

void OrderProcess::take_events() {
  if (watched_) take_listener();
  try_to_watch();
  char buffer[sizeof(StepEvent) * 16];
  for (;;) {
    const ssize_t n = ::read(events_.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;  // nothing more for now
    partial_.append(buffer, static_cast<std::size_t>(n));
    while (partial_.size() >= sizeof(StepEvent)) {
      StepEvent event;
      std::memcpy(&event, partial_.data(), sizeof event);
      partial_.erase(0, sizeof event);
      take(event);
    }
    if (n == 0) {
      close();
      break;
    }
  }
}

void OrderProcess::take(const StepEvent& event) {
  const CtestEntry& entry = plan_.suite.step(event.step).entry;
  switch (event.kind) {
    case StepEvent::begins:
      running_ = {plan_.order.at(event.position), Clock::now()};
      begun_ = event;
      if (watched_) watched_->begun = event;
      try_to_watch();
      return;
    case StepEvent::trouble:
      trouble_ = fmt::format("the private view of the file system could not be made: {}",
                             std::strerror(event.start_error));
      return;
    case StepEvent::passed_over: {
      TestRun& run = run_.runs.at(event.position);
      run.outcome.kind = OutcomeKind::fail;
      run.outcome.message =
          fmt::format("its set-up {} failed", plan_.suite.step(event.failed_step).entry.name);
      finished_.push_back(event.position);
      return;
    }
    case StepEvent::ended:
      break;
  }
  running_.reset();
  if (watched_ && watched_->serving > 0) {
    plan_.watch->ended(watched_->serving);
    watched_->serving = -1;
  }
  if (watched_ || plan_.holds) {
    held_ = true;
    held_position_ = event.position;
  }
  TestRun& run = run_.runs.at(event.position);
  run.leaks.children += event.left_children;
  if (event.is_test == 0) return;
  run.output_truncated = event.output_end - event.output_begin > kMostOutput;
  run.output = output_between(output_.get(), event.output_begin, event.output_end);
  run.outcome = ctest_outcome(entry, end_of(event, entry), run.output);
  run.duration = std::chrono::nanoseconds(event.duration_ns);
  finished_.push_back(event.position);
}

void OrderProcess::go_on() {
  held_ = false;
  const char word = 1;
  if (::write(go_.get(), &word, 1) != 1) trouble_ = "the keeper of the order is gone";
}

std::optional<RunningTest> OrderProcess::running() const {
  if (!running_) return std::nullopt;
  return RunningTest{running_->first, Clock::now() - running_->second};
}

std::vector<std::size_t> OrderProcess::take_finished() {
  return std::exchange(finished_, {});
}

}  // namespace gordian
