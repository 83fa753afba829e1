// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/tracer_session.h"

#include <sys/ptrace.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>

#include "runtime/native/children.h"
#include "symbols/process_memory.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;

constexpr auto kStopPatience = 2s;
constexpr long kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                          PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACEEXEC;

std::vector<pid_t> threads_of(pid_t pid) {
  std::vector<pid_t> tids;
  std::error_code failed;
  std::filesystem::directory_iterator task("/proc/" + std::to_string(pid) + "/task", failed), end;
  for (; !failed && task != end; task.increment(failed)) {
    tids.push_back(static_cast<pid_t>(std::stol(task->path().filename().string())));
  }
  return tids;
}

bool is_dead(pid_t pid, pid_t tid) {
  const std::string state = status_field(pid, tid, "State:");
  return state.empty() || state == "Z" || state == "X";
}

}  // namespace

thread_local std::vector<Tracer::Session*> Tracer::sessions_;

Tracer::Session::Session(pid_t pid)
    : pid_(pid),
      decoder_(
          [this](std::uint64_t at, std::size_t size) {
            std::string bytes = read_memory(pid_, TargetAddr{at}, size).value_or("");
            breakpoints_.hide(at, bytes);
            return bytes;
          },
          [this](std::uint64_t address) -> std::optional<std::uint64_t> {
            auto known = stacks();
            if (!known) return std::nullopt;
            return (*known)->instruction_start_before(address);
          }) {
  sessions_.push_back(this);
}

Tracer::Session::~Session() {
  std::erase(sessions_, this);
}

void Tracer::pass_on_ends() {
  for (Session* session : sessions_) session->poll(true);
}

Status Tracer::Session::seize_new_threads(bool& found) {
  found = false;
  for (const pid_t tid : threads_of(pid_)) {
    if (threads_.contains(tid)) continue;
    if (::ptrace(PTRACE_SEIZE, tid, nullptr, kOptions) != 0) {
      const int error = errno;
      // A thread that just ended, or came to us already because its maker is traced.
      if (error == ESRCH || is_dead(pid_, tid)) continue;
      if (status_field(pid_, tid, "TracerPid:") != std::to_string(::gettid())) {
        return trace_refused(pid_, error);
      }
    }
    threads_[tid].tid = tid;
    found = true;
  }
  return {};
}

Status Tracer::Session::attach() {
  // Threads start while we look. From the seized ones on the kernel does it for us.
  for (bool found = true; found;) {
    if (Status seized = seize_new_threads(found); !seized) {
      (void)detach();
      return seized;
    }
  }
  if (threads_.empty()) return trace_refused(pid_, ESRCH);
  if (Status stopped = stop_all(); !stopped) {
    (void)detach();
    return stopped;
  }
  if (ended()) return trace_refused(pid_, ESRCH);
  return {};
}

bool Tracer::Session::poll(bool stopped_too) {
  std::vector<pid_t> tids;
  for (const auto& [tid, thread] : threads_) {
    if (!thread.stopped || stopped_too) tids.push_back(tid);
  }
  bool seen = false;
  for (const pid_t tid : tids) {
    const auto found = threads_.find(tid);  // another one's stop may have ended it
    if (found == threads_.end()) continue;
    seen |= tid == pid_ ? check_leader(found->second) : check(found->second);
  }
  return seen;
}

bool Tracer::Session::check(TracedThread& thread) {
  siginfo_t info{};
  const pid_t tid = thread.tid;
  const int waited = wait_for_thread(WSTOPPED | WEXITED, tid, info);
  if (waited != 0 && errno == EINTR) return false;
  if (waited == 0 && info.si_pid == 0) return false;
  if (waited != 0 || has_ended(info)) {
    on_end(tid, info);
  } else {
    on_stop(thread, info.si_status);
  }
  return true;
}

/// The end of the first thread is the end of the process, and its status belongs to its parent:
/// when that is another process, taking it here passes it on; when it is ours, it must be left
/// alone.
bool Tracer::Session::check_leader(TracedThread& leader) {
  siginfo_t info{};
  const int waited = wait_for_thread(WSTOPPED | WEXITED | WNOWAIT, pid_, info);
  if (waited == 0 && info.si_pid == 0) return false;
  const bool ended = waited == 0 && info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED;
  if (!ended) return check(leader);
  if (!is_own_child()) wait_for_thread(WEXITED, pid_, info);
  on_end(pid_, info);
  return true;
}

void Tracer::Session::on_end(pid_t tid, const siginfo_t& info) {
  const auto found = threads_.find(tid);
  if (found == threads_.end()) return;
  const bool in_vfork = found->second.in_vfork;
  threads_.erase(found);
  if (in_vfork && --vforks_ == 0) {
    if (TracedThread* through = any_stopped()) breakpoints_.put_back(through->tid);
  }
  if (tid != pid_ && !threads_.empty()) return;
  TraceEvent event{.kind = TraceKind::exited, .tid = tid};
  (info.si_code == CLD_EXITED ? event.exit_code : event.signal) = info.si_status;
  ended_ = event;
  threads_.clear();
  breakpoints_.forget();
}

bool Tracer::Session::all_stopped() const {
  return std::all_of(threads_.begin(), threads_.end(), [](const auto& entry) {
    return entry.second.stopped || entry.second.in_vfork;
  });
}

/// A trap that the thread ran into may be queued behind the stop we asked for. Taken away from
/// under it, the breakpoint's signal would later kill the program: let the thread come to it.
void Tracer::Session::settle(TracedThread& thread) {
  if (!thread.stopped || thread.group_stop || thread.signal != 0) return;
  if (!has_pending_trap(thread.tid)) return;
  ::ptrace(PTRACE_CONT, thread.tid, nullptr, nullptr);
  thread.stopped = false;
}

Status Tracer::Session::stop_all() {
  for (auto& [tid, thread] : threads_) {
    if (!thread.stopped) ::ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr);
  }
  const auto deadline = Clock::now() + kStopPatience;
  for (;;) {
    poll(true);  // the end of the process is told only when the last of them is seen dead
    if (all_stopped()) {
      for (auto& [tid, thread] : threads_) settle(thread);
      if (all_stopped()) return {};
    }
    // Threads that appeared meanwhile stop by themselves.
    if (Clock::now() > deadline) break;
    std::this_thread::sleep_for(20us);
  }
  for (const auto& [tid, thread] : threads_) {
    if (thread.stopped || thread.in_vfork) continue;
    return target_error("thread " + std::to_string(tid) + " of process " + std::to_string(pid_) +
                        " did not stop");
  }
  return {};
}

/// One that was let go before may have ended the process already. The end of a traced thread is
/// ours to take: until then nobody hears of the end of the process.
void Tracer::Session::release(TracedThread& thread) {
  if (thread.armed != 0) (void)arm(thread.tid, {});
  if (::ptrace(PTRACE_DETACH, thread.tid, nullptr, static_cast<long>(thread.signal)) == 0) return;
  const auto deadline = Clock::now() + kStopPatience;
  for (siginfo_t info{}; Clock::now() < deadline; std::this_thread::sleep_for(20us)) {
    if (thread.tid == pid_ && is_own_child()) return;
    const int waited = wait_for_thread(WEXITED, thread.tid, info);
    if (waited == 0 && info.si_pid == thread.tid) return;
    if (waited != 0 && errno != EINTR) return;
  }
}

/// Its parent is told of its end without our help.
bool Tracer::Session::is_own_child() const {
  return status_field(pid_, pid_, "PPid:") == std::to_string(::getpid());
}

Status Tracer::Session::detach() {
  Status stopped = stop_all();
  if (TracedThread* through = any_stopped()) breakpoints_.lift(through->tid);
  breakpoints_.forget();
  // In vfork a thread stands still only when its child has become another program, or ended.
  const auto deadline = Clock::now() + kStopPatience;
  for (auto& [tid, thread] : threads_) {
    if (!thread.stopped) ::ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr);
  }
  const auto runs = [](const auto& entry) { return !entry.second.stopped; };
  while (std::any_of(threads_.begin(), threads_.end(), runs) && Clock::now() < deadline) {
    if (!poll(true)) std::this_thread::sleep_for(100us);
  }
  if (stopped.ok() && std::any_of(threads_.begin(), threads_.end(), runs)) {
    stopped = target_error("a thread of process " + std::to_string(pid_) +
                           " that waits for its child could not be let go");
  }
  // The first thread last: its end is not told before those of the others are taken.
  for (auto& [tid, thread] : threads_) {
    if (thread.stopped && tid != pid_) release(thread);
  }
  const auto leader = threads_.find(pid_);
  if (leader != threads_.end() && leader->second.stopped) release(leader->second);
  threads_.clear();
  return stopped;
}

}  // namespace gordian
