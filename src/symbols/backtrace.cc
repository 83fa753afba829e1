// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/backtrace.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "symbols/backtrace_walk.h"
#include "symbols/process_memory.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kAgentPrefix = "libgordian-agent";
constexpr auto kStopPatience = 2s;

/// Stops one thread for as long as it lives. PTRACE_SEIZE sends no SIGSTOP, so the process cannot
/// tell afterwards; a signal that arrives just then is handed on when the thread is let go.
class StoppedThread {
 public:
  explicit StoppedThread(pid_t tid) : tid_(tid) {}
  StoppedThread(const StoppedThread&) = delete;
  StoppedThread& operator=(const StoppedThread&) = delete;
  ~StoppedThread() {
    if (stopped_) ::ptrace(PTRACE_DETACH, tid_, nullptr, static_cast<long>(signal_));
  }

  Status stop() {
    if (::ptrace(PTRACE_SEIZE, tid_, nullptr, nullptr) != 0) return refused(errno);
    if (::ptrace(PTRACE_INTERRUPT, tid_, nullptr, nullptr) != 0) return refused(errno);
    const auto deadline = std::chrono::steady_clock::now() + kStopPatience;
    while (!stopped_) {
      siginfo_t info{};
      // Not WEXITED: when the process dies under us, its status belongs to its parent.
      const int waited =
          ::waitid(P_PID, static_cast<id_t>(tid_), &info, WSTOPPED | WNOHANG | __WALL);
      if (waited != 0 && errno != EINTR) return gone();
      if (waited == 0 && info.si_pid == tid_) {
        stopped_ = true;
        // Bits above the signal number tell a stop that we asked for from one by a signal.
        signal_ = info.si_status >> 8 == 0 ? info.si_status & 0xff : 0;
      } else if (std::chrono::steady_clock::now() > deadline) {
        return target_error("thread " + std::to_string(tid_) + " did not stop");
      } else {
        std::this_thread::sleep_for(1ms);
      }
    }
    return {};
  }

 private:
  Error gone() const { return target_error("no thread " + std::to_string(tid_)); }

  Error refused(int error) const {
    if (error == ESRCH) return gone();
    return target_error(
        "thread " + std::to_string(tid_) + " may not be traced: " + std::strerror(error),
        "another debugger, a container or kernel.yama.ptrace_scope forbids it");
  }

  pid_t tid_;
  bool stopped_ = false;
  int signal_ = 0;
};

/// A frame as found, with what decides whether it is dropped.
struct RawFrame {
  StackFrame frame;
  /// This is where the thread stands, a signal's trampoline, or where a signal came.
  bool interrupted = false;
};

/// Removes everything above the place that the signal interrupted, if the agent handles it there.
/// A handler of the test's own stays: when it hangs, it is what the user wants to see.
void drop_agent_frames(std::vector<RawFrame>& frames) {
  const auto is_agent = [](const RawFrame& raw) {
    return raw.frame.module.starts_with(kAgentPrefix);
  };
  const auto agent = std::find_if(frames.begin(), frames.end(), is_agent);
  // The handler returns into the signal's trampoline, which is marked as interrupted.
  const auto trampoline = std::find_if(
      agent, frames.end(), [&](const RawFrame& raw) { return raw.interrupted && !is_agent(raw); });
  if (trampoline == frames.end() || trampoline + 1 == frames.end()) return;
  frames.erase(frames.begin(), trampoline + 1);
}

Error no_frame(pid_t tid) {
  return target_error("no frame of thread " + std::to_string(tid) +
                      " could be read: " + dwfl_errmsg(-1));
}

Result<std::vector<StackFrame>> walk_stopped(pid_t pid, pid_t tid, int max_frames, bool drop) {
  auto dwfl = open_modules(pid, true);
  if (!dwfl) return dwfl.error();
  constexpr int kHandlerFrames = 16;  // read more than asked for: the top may be dropped
  std::vector<RawFrame> frames;
  UnitRanges units;
  for (const FrameAddress& address :
       walk_thread(dwfl->get(), tid, max_frames + (drop ? kHandlerFrames : 0))) {
    std::vector<StackFrame> here;
    describe_frame(dwfl->get(), units, address, here);
    for (StackFrame& frame : here) frames.push_back({std::move(frame), address.interrupted});
  }
  if (frames.empty()) return no_frame(tid);
  if (drop) drop_agent_frames(frames);
  std::vector<StackFrame> result;
  for (RawFrame& raw : frames) {
    if (static_cast<int>(result.size()) < max_frames) result.push_back(std::move(raw.frame));
  }
  return result;
}

std::string code_mappings(pid_t pid) {
  std::string text;
  for (const Mapping& mapping : read_mappings(pid)) {
    if (!mapping.executable) continue;
    text += std::to_string(mapping.begin.value()) + ' ' + mapping.path + '\n';
  }
  return text;
}

/// Where the row of the unwind table that covers `address` begins. Rows follow instructions.
std::optional<std::uint64_t> unwind_row(Dwfl_Module* module, std::uint64_t address) {
  Dwarf_Addr bias = 0;
  Dwarf_CFI* cfi = dwfl_module_eh_cfi(module, &bias);
  Dwarf_Frame* frame = nullptr;
  if (cfi == nullptr || dwarf_cfi_addrframe(cfi, address - bias, &frame) != 0) return std::nullopt;
  Dwarf_Addr start = 0, end = 0;
  const bool known = dwarf_frame_info(frame, &start, &end, nullptr) >= 0;
  std::free(frame);
  if (!known || address - bias < start || address - bias >= end) return std::nullopt;
  return start + bias;
}

/// The mapping's own name: "[heap]", a library, or nothing better than its kind.
std::string mapping_name(pid_t pid, std::uint64_t address) {
  for (const Mapping& mapping : read_mappings(pid)) {
    if (mapping.begin.value() <= address && address < mapping.end.value()) {
      return mapping.path.empty() ? "anonymous memory" : mapping.path;
    }
  }
  return "unmapped memory";
}

}  // namespace

Result<std::vector<StackFrame>> read_stack(pid_t pid, pid_t tid, int max_frames,
                                           bool drop_signal_prefix) {
  Result<std::vector<StackFrame>> result = std::vector<StackFrame>{};
  // A thread of our own: when the target does not stop (it waits for a dead disk), nothing but the
  // end of the tracing thread can let go of it.
  std::thread([&] {
    StoppedThread target(tid);
    if (Status stopped = target.stop(); !stopped) {
      result = stopped.error();
    } else {
      result = walk_stopped(pid, tid, std::max(1, max_frames), drop_signal_prefix);
    }
  }).join();
  return result;
}

struct ProcessStacks::Modules {
  pid_t pid;
  DwflHandle dwfl;
  std::string mappings;  ///< of code, as they were when the modules were read
  UnitRanges units = {};

  /// Libraries come with dlopen. False when nothing is new.
  bool refresh();
};

bool ProcessStacks::Modules::refresh() {
  std::string now = code_mappings(pid);
  if (now.empty() || now == mappings) return false;
  mappings = std::move(now);
  units = {};  // modules may have gone
  return refresh_modules(dwfl.get(), pid);
}

Result<ProcessStacks> ProcessStacks::open(pid_t pid) {
  std::string mappings = code_mappings(pid);
  auto dwfl = open_modules(pid, true);
  if (!dwfl) return dwfl.error();
  return ProcessStacks(
      std::make_unique<Modules>(Modules{pid, std::move(*dwfl), std::move(mappings)}));
}

ProcessStacks::ProcessStacks(std::unique_ptr<Modules> modules) : modules_(std::move(modules)) {}
ProcessStacks::ProcessStacks(ProcessStacks&&) noexcept = default;
ProcessStacks& ProcessStacks::operator=(ProcessStacks&&) noexcept = default;
ProcessStacks::~ProcessStacks() = default;

Result<std::vector<FrameAddress>> ProcessStacks::addresses(pid_t tid, int max_frames) {
  Dwfl* dwfl = modules_->dwfl.get();
  std::vector<FrameAddress> frames = walk_thread(dwfl, tid, max_frames);
  const bool all_known = std::all_of(frames.begin(), frames.end(), [&](const FrameAddress& frame) {
    return dwfl_addrmodule(dwfl, frame.at) != nullptr;
  });
  // Unwinding ends where it leaves the known modules.
  if (!all_known && modules_->refresh()) frames = walk_thread(dwfl, tid, max_frames);
  if (frames.empty()) return no_frame(tid);
  return frames;
}

std::vector<StackFrame> ProcessStacks::describe(std::span<const FrameAddress> addresses) {
  std::vector<StackFrame> frames;
  for (const FrameAddress& address : addresses) {
    describe_frame(modules_->dwfl.get(), modules_->units, address, frames, false);
  }
  return frames;
}

std::optional<std::uint64_t> ProcessStacks::instruction_start_before(std::uint64_t address) {
  Dwfl_Module* module = dwfl_addrmodule(modules_->dwfl.get(), address);
  if (module == nullptr && modules_->refresh()) {
    module = dwfl_addrmodule(modules_->dwfl.get(), address);
  }
  if (module == nullptr) return std::nullopt;
  if (auto row = unwind_row(module, address)) return row;
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr) return std::nullopt;
  return address - offset;
}

std::string symbol_at(pid_t pid, std::uint64_t address) {
  auto dwfl = open_modules(pid, false);
  Dwfl_Module* module = dwfl ? dwfl_addrmodule(dwfl->get(), address) : nullptr;
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name = module == nullptr ? nullptr
                                       : dwfl_module_addrinfo(module, address, &offset, &symbol,
                                                              nullptr, nullptr, nullptr);
  if (name == nullptr) return mapping_name(pid, address);
  return demangled(name) + (offset > 0 ? " + " + std::to_string(offset) : std::string());
}

}  // namespace gordian
