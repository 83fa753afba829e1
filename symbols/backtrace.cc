// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/backtrace.h"
#include "symbols/debug_file.h"
#include "symbols/process_memory.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <thread>

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

/// Separate debug information on this machine's disk. elfutils' own search would ask a debuginfod
/// server when the user's environment names one.
int find_local_debuginfo(Dwfl_Module* module, void**, const char*, Dwarf_Addr, const char* file,
                         const char* link, GElf_Word, char** debug_file) {
  const unsigned char* id = nullptr;
  GElf_Addr where = 0;
  const int size = dwfl_module_build_id(module, &id, &where);
  for (const std::filesystem::path& candidate : debug_file_candidates(
           file == nullptr ? "" : file, size > 0 ? hex(id, static_cast<std::size_t>(size)) : "",
           link == nullptr || file == nullptr ? "" : link, "/usr/lib/debug")) {
    const int fd = ::open(candidate.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    *debug_file = ::strdup(candidate.c_str());
    return fd;
  }
  return -1;
}

struct DwflEnd {
  void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};
using DwflHandle = std::unique_ptr<Dwfl, DwflEnd>;

std::string demangled(const char* name) {
  if (name == nullptr) return "";
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

/// A frame as found, with what decides whether it is dropped.
struct RawFrame {
  StackFrame frame;
  /// This is where the thread stands, a signal's trampoline, or where a signal came.
  bool interrupted = false;
};

/// Turns addresses into frames with names and lines.
class Walk {
 public:
  Walk(Dwfl* dwfl, int max_frames) : dwfl_(dwfl), max_frames_(max_frames) {}

  static int on_frame(Dwfl_Frame* state, void* self) {
    return static_cast<Walk*>(self)->add(state) ? DWARF_CB_OK : DWARF_CB_ABORT;
  }

  std::vector<RawFrame> take() { return std::move(frames_); }

 private:
  bool add(Dwfl_Frame* state) {
    Dwarf_Addr pc = 0;
    bool interrupted = false;
    if (!dwfl_frame_pc(state, &pc, &interrupted)) return false;
    // A return address belongs to the instruction after the call; one less is inside of the call.
    const Dwarf_Addr at = interrupted ? pc : pc - 1;
    RawFrame raw;
    raw.frame.address = pc;
    raw.interrupted = interrupted;
    if (Dwfl_Module* module = dwfl_addrmodule(dwfl_, at)) {
      describe(module, at, raw);
    } else {
      frames_.push_back(std::move(raw));
    }
    return static_cast<int>(frames_.size()) < max_frames_;
  }

  void describe(Dwfl_Module* module, Dwarf_Addr at, RawFrame raw) {
    const char* path =
        dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    const std::string_view name = path == nullptr ? "" : path;
    raw.frame.module = name.substr(name.rfind('/') + 1);  // npos + 1 is 0
    if (Dwfl_Line* line = dwfl_module_getsrc(module, at)) {
      const char* file = dwfl_lineinfo(line, nullptr, &raw.frame.line, nullptr, nullptr, nullptr);
      if (file != nullptr) raw.frame.file = file;
    }
    add_inlined(module, at, raw);
    raw.frame.function = demangled(dwfl_module_addrname(module, at));
    frames_.push_back(std::move(raw));
  }

  /// One frame for each function inlined at this address; `raw` becomes the place of the outermost
  /// call, so that it reads like the function's own frame.
  void add_inlined(Dwfl_Module* module, Dwarf_Addr at, RawFrame& raw) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module, at, &bias);
    Dwarf_Die* scopes = nullptr;
    const int count = unit == nullptr ? 0 : dwarf_getscopes(unit, at - bias, &scopes);
    for (int i = 0; i < count; ++i) {
      if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram) break;
      if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
      RawFrame inlined = raw;
      inlined.frame.function = function_name(&scopes[i]);
      frames_.push_back(std::move(inlined));
      set_call_site(unit, &scopes[i], raw.frame);
    }
    std::free(scopes);
  }

  static std::string function_name(Dwarf_Die* die) {
    Dwarf_Attribute memory;
    Dwarf_Attribute* linkage = dwarf_attr_integrate(die, DW_AT_linkage_name, &memory);
    if (const char* name = dwarf_formstring(linkage)) return demangled(name);
    const char* plain = dwarf_diename(die);
    return plain == nullptr ? "" : plain;
  }

  static void set_call_site(Dwarf_Die* unit, Dwarf_Die* inlined, StackFrame& frame) {
    Dwarf_Attribute memory;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &memory), &line) == 0) {
      frame.line = static_cast<int>(line);
    }
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &memory), &file) != 0) return;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count) return;
    if (const char* path = dwarf_filesrc(files, file, nullptr, nullptr)) frame.file = path;
  }

  Dwfl* dwfl_;
  int max_frames_;
  std::vector<RawFrame> frames_;
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

Result<std::vector<StackFrame>> walk_stopped(pid_t pid, pid_t tid, int max_frames, bool drop) {
  static const Dwfl_Callbacks kCallbacks = {dwfl_linux_proc_find_elf, find_local_debuginfo, nullptr,
                                            nullptr};
  DwflHandle dwfl(dwfl_begin(&kCallbacks));
  if (!dwfl || dwfl_linux_proc_report(dwfl.get(), pid) != 0 ||
      dwfl_report_end(dwfl.get(), nullptr, nullptr) != 0 ||
      dwfl_linux_proc_attach(dwfl.get(), pid, true) != 0) {
    return target_error("cannot read the memory map of process " + std::to_string(pid));
  }
  constexpr int kHandlerFrames = 16;  // read more than asked for: the top may be dropped
  Walk walk(dwfl.get(), max_frames + (drop ? kHandlerFrames : 0));
  dwfl_getthread_frames(dwfl.get(), tid, Walk::on_frame, &walk);
  std::vector<RawFrame> frames = walk.take();
  if (frames.empty()) {
    return target_error("no frame of thread " + std::to_string(tid) +
                        " could be read: " + dwfl_errmsg(-1));
  }
  if (drop) drop_agent_frames(frames);
  std::vector<StackFrame> result;
  for (RawFrame& raw : frames) {
    if (static_cast<int>(result.size()) < max_frames) result.push_back(std::move(raw.frame));
  }
  return result;
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

namespace {

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

std::string symbol_at(pid_t pid, std::uint64_t address) {
  static const Dwfl_Callbacks kCallbacks = {dwfl_linux_proc_find_elf, find_local_debuginfo, nullptr,
                                            nullptr};
  DwflHandle dwfl(dwfl_begin(&kCallbacks));
  const bool mapped = dwfl && dwfl_linux_proc_report(dwfl.get(), pid) == 0 &&
                      dwfl_report_end(dwfl.get(), nullptr, nullptr) == 0;
  Dwfl_Module* module = mapped ? dwfl_addrmodule(dwfl.get(), address) : nullptr;
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name = module == nullptr ? nullptr
                                       : dwfl_module_addrinfo(module, address, &offset, &symbol,
                                                              nullptr, nullptr, nullptr);
  if (name == nullptr) return mapping_name(pid, address);
  return demangled(name) + (offset > 0 ? " + " + std::to_string(offset) : std::string());
}

}  // namespace gordian
