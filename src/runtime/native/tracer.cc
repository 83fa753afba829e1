// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/tracer.h"

#include <sched.h>
#include <sys/ptrace.h>

#include <algorithm>
#include <string>
#include <thread>

#include "runtime/native/tracer_session.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;

/// How long to ask again and again before sleeping: a hit follows a hit within microseconds.
constexpr auto kBusy = 100us;
constexpr auto kShortestSleep = 10us, kLongestSleep = 1000us;
constexpr auto kStepPatience = 2s;

/// The signals that an instruction itself can raise; others wait while it is stepped over.
constexpr int kRaised[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

std::uint64_t mask_for_step() {
  std::uint64_t mask = ~std::uint64_t{0};
  for (const int signal : kRaised) mask &= ~(std::uint64_t{1} << (signal - 1));
  return mask;
}

bool is_valid(const Watch& watch) {
  const bool size = watch.size == 1 || watch.size == 2 || watch.size == 4 || watch.size == 8;
  return size && watch.address % watch.size == 0;
}

}  // namespace

TracedThread* Tracer::Session::any_stopped() {
  for (auto& [tid, thread] : threads_) {
    if (thread.stopped) return &thread;
  }
  return nullptr;
}

bool Tracer::Session::has_untold_event(pid_t tid) const {
  return std::any_of(events_.begin(), events_.end(),
                     [&](const TraceEvent& event) { return event.tid == tid; });
}

std::optional<TraceEvent> Tracer::Session::take_event() {
  if (events_.empty()) return std::nullopt;
  const TraceEvent event = events_.front();
  events_.pop_front();
  return event;
}

Status Tracer::Session::take_error() {
  if (!error_) return {};
  Status status = *error_;
  error_.reset();
  return status;
}

Status Tracer::Session::watch(std::span<const Watch> watches, KernelAccess kernel) {
  if (watches.size() > kMaxWatches || !std::all_of(watches.begin(), watches.end(), is_valid)) {
    return internal_error("watches must be at most four, of 1, 2, 4 or 8 aligned bytes");
  }
  if (Status stopped = stop_all(); !stopped) return stopped;
  const auto told = [](const TraceEvent& event) {
    return event.kind != TraceKind::function && event.kind != TraceKind::syscall;
  };
  std::erase_if(events_, told);
  watches_.assign(watches.begin(), watches.end());
  kernel_ = kernel;
  ++generation_;
  values_.clear();
  for (const Watch& watch : watches_) values_.push_back(value_of(watch).value_or(0));
  for (auto& [tid, thread] : threads_) {
    if (thread.stopped) arm_thread(thread);
  }
  return take_error();
}

void Tracer::Session::arm_thread(TracedThread& thread) {
  if (thread.armed == generation_) return;
  thread.armed = generation_;
  if (Status armed = arm(thread.tid, watches_); !armed) error_ = armed.error();
}

Status Tracer::Session::set_breakpoints(std::span<const std::uint64_t> entries) {
  if (Status stopped = stop_all(); !stopped) return stopped;
  std::erase_if(events_, [](const TraceEvent& event) { return event.kind == TraceKind::function; });
  TracedThread* through = any_stopped();
  if (through == nullptr) return {};  // it has ended, which the next call tells
  return breakpoints_.replace(pid_, through->tid, entries);
}

void Tracer::Session::set_syscalls(std::span<const long> numbers) {
  syscalls_ = {numbers.begin(), numbers.end()};
  std::erase_if(events_, [&](const TraceEvent& event) {
    return event.kind == TraceKind::syscall && !syscalls_.contains(event.syscall);
  });
}

/// Runs the one instruction that our breakpoint stands on while every other thread stands still, as
/// they must not run past the place meanwhile.
void Tracer::Session::step_over(TracedThread& thread) {
  if (Status stopped = stop_all(); !stopped) error_ = stopped.error();
  const pid_t tid = thread.tid;
  const auto registers = get_registers(tid);
  if (!threads_.contains(tid) || !registers || !breakpoints_.contains(registers->rip) ||
      !breakpoints_.in_place()) {
    if (threads_.contains(tid)) thread.at_breakpoint = false;
    return;
  }
  std::uint64_t mask = 0, step_mask = mask_for_step();
  ::ptrace(PTRACE_GETSIGMASK, tid, sizeof(mask), &mask);
  step_mask |= mask;
  ::ptrace(PTRACE_SETSIGMASK, tid, sizeof(step_mask), &step_mask);
  breakpoints_.lift_one(tid, registers->rip);
  const bool alive = await_step(thread);
  TracedThread* through = any_stopped();
  if (through != nullptr) breakpoints_.put_back_one(through->tid, registers->rip);
  if (alive) ::ptrace(PTRACE_SETSIGMASK, tid, sizeof(mask), &mask);
}

/// Steps until the instruction is done, or something else has to come first: a stop by job control,
/// a fault. False when the thread is gone.
bool Tracer::Session::await_step(TracedThread& thread) {
  const pid_t tid = thread.tid;
  const auto deadline = Clock::now() + kStepPatience;
  for (bool step = true; Clock::now() < deadline;) {
    if (step) ::ptrace(PTRACE_SINGLESTEP, tid, nullptr, nullptr);
    step = false;
    siginfo_t info{};
    const int waited = wait_for_thread(WSTOPPED | WEXITED | WNOWAIT, tid, info);
    if (waited == 0 && info.si_pid == 0) {
      ::sched_yield();
      continue;
    }
    if (waited != 0 || info.si_code != CLD_TRAPPED) {
      thread.stopped = false;  // its end is found by the next poll
      return false;
    }
    const int event = info.si_status >> 8, signal = info.si_status & 0xff;
    wait_for_thread(WSTOPPED, tid, info);
    if (event == PTRACE_EVENT_STOP && signal == SIGTRAP) {
      step = true;  // an interruption asked for earlier
      continue;
    }
    if (event == PTRACE_EVENT_STOP) {
      thread.group_stop = true;  // stepped over when it is continued
      return true;
    }
    thread.at_breakpoint = false;
    const auto cause = signal == SIGTRAP ? get_signal(tid) : std::nullopt;
    const bool done = cause && (cause->si_code == TRAP_TRACE || cause->si_code == TRAP_HWBKPT);
    if (done) on_hits(thread, take_hits(tid));
    if (!done && event == 0) thread.signal = signal;
    return true;
  }
  thread.stopped = false;
  return true;
}

void Tracer::Session::resume(TracedThread& thread) {
  arm_thread(thread);
  const bool calls = !syscalls_.empty() || (kernel_ == KernelAccess::caught && !watches_.empty());
  const auto how = thread.group_stop ? PTRACE_LISTEN : calls ? PTRACE_SYSCALL : PTRACE_CONT;
  // One that was killed meanwhile cannot be resumed: waiting for it tells.
  ::ptrace(how, thread.tid, nullptr, static_cast<long>(thread.group_stop ? 0 : thread.signal));
  thread.stopped = false;
  thread.signal = 0;
}

void Tracer::Session::resume_all() {
  std::vector<pid_t> to_step;
  for (const auto& [tid, thread] : threads_) {
    const bool steps = thread.stopped && thread.at_breakpoint && !thread.group_stop;
    if (steps && !has_untold_event(tid)) to_step.push_back(tid);
  }
  for (const pid_t tid : to_step) {
    const auto found = threads_.find(tid);
    if (found != threads_.end()) step_over(found->second);
  }
  for (auto& [tid, thread] : threads_) {
    if (thread.stopped && !has_untold_event(tid)) resume(thread);
  }
}

Result<ProcessStacks*> Tracer::Session::stacks() {
  if (!stacks_) {
    auto opened = ProcessStacks::open(pid_);
    if (!opened) return opened.error();
    stacks_ = std::move(*opened);
  }
  return &*stacks_;
}

Result<std::vector<FrameAddress>> Tracer::Session::addresses(pid_t tid, int max_frames) {
  const auto found = threads_.find(tid);
  if (found == threads_.end() || !found->second.stopped) {
    return target_error("thread " + std::to_string(tid) + " does not stand still");
  }
  auto known = stacks();
  if (!known) return known.error();
  auto frames = (*known)->addresses(tid, max_frames);
  if (!frames) return frames;
  const std::optional<WatchedAccess>& access = found->second.access;
  if (access && access->in_caller && frames->size() > 1) frames->erase(frames->begin());
  if (access) frames->front().pc = frames->front().at = access->instruction;
  return frames;
}

Tracer::Tracer(std::unique_ptr<Session> session) : session_(std::move(session)) {}
Tracer::Tracer(Tracer&&) noexcept = default;
Tracer& Tracer::operator=(Tracer&& other) noexcept {
  if (this == &other) return *this;
  if (session_) (void)session_->detach();
  session_ = std::move(other.session_);
  return *this;
}
Tracer::~Tracer() {
  if (session_) (void)session_->detach();
}

Result<Tracer> Tracer::attach(pid_t pid) {
  auto session = std::make_unique<Session>(pid);
  if (Status attached = session->attach(); !attached) return attached.error();
  return Tracer(std::move(session));
}

Status Tracer::watch_memory(std::span<const Watch> watches, KernelAccess kernel) {
  return session_->watch(watches, kernel);
}

Status Tracer::stop_at_functions(std::span<const std::uint64_t> entries) {
  return session_->set_breakpoints(entries);
}

Status Tracer::stop_at_syscalls(std::span<const long> numbers) {
  session_->set_syscalls(numbers);
  return {};
}

Result<TraceEvent> Tracer::next(Clock::time_point deadline,
                                const std::function<bool()>& should_stop) {
  auto quiet_since = Clock::now();
  auto next_question = quiet_since;
  std::chrono::microseconds sleep = kShortestSleep;
  for (bool told_to_stop = false;;) {
    if (auto event = session_->take_event()) return *event;
    session_->resume_all();
    if (Status status = session_->take_error(); !status) return status.error();
    const bool seen = session_->poll();
    if (auto event = session_->take_event()) return *event;
    if (session_->ended()) return session_->end_event();
    if (told_to_stop) return TraceEvent{.kind = TraceKind::stopped};
    const auto now = Clock::now();
    if (!seen || now >= next_question) {
      // Nothing may be missed that happened before the answer: yes means one more round.
      told_to_stop = should_stop && should_stop();
      next_question = now + kLongestSleep;
      if (told_to_stop) continue;
    }
    if (now >= deadline) return TraceEvent{.kind = TraceKind::timed_out};
    if (seen) {
      quiet_since = now;
      sleep = kShortestSleep;
    } else if (now - quiet_since < kBusy) {
      ::sched_yield();
    } else {
      std::this_thread::sleep_for(sleep);
      sleep = std::min<std::chrono::microseconds>(sleep * 2, kLongestSleep);
    }
  }
}

std::uint64_t Tracer::children_started() const {
  return session_->children();
}

Result<std::vector<FrameAddress>> Tracer::addresses(pid_t tid, int max_frames) {
  return session_->addresses(tid, max_frames);
}

std::vector<StackFrame> Tracer::describe(std::span<const FrameAddress> addresses) {
  auto known = session_->stacks();
  if (!known) return {};
  return (*known)->describe(addresses);
}

Result<std::vector<StackFrame>> Tracer::stack(pid_t tid, int max_frames) {
  auto frames = addresses(tid, max_frames);
  if (!frames) return frames.error();
  std::vector<StackFrame> result = describe(*frames);
  if (static_cast<int>(result.size()) > max_frames) {
    result.resize(static_cast<std::size_t>(max_frames));
  }
  return result;
}

Status Tracer::detach() {
  if (!session_) return {};
  Status detached = session_->detach();
  session_.reset();
  return detached;
}

}  // namespace gordian
