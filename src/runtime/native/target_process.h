// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One running test binary with the agent in it: the engine's end of the moments of wire/protocol.h,
// as a state machine that never blocks. The caller polls descriptors() and calls pump().
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "frameworks/framework_symbols.h"
#include "model/target.h"
#include "runtime/native/plan.h"
#include "runtime/native/wire_memory.h"
#include "symbols/elf_file.h"

namespace gordian {

class SyscallWatch;

/// The agent's shared object: $GORDIAN_AGENT, beside our own executable, or in its lib directory.
Result<std::filesystem::path> find_agent();

/// The environment a test binary is started with: ours, without what would change the framework's
/// own choice of tests (GTEST_*, sharding, output files), then the target's changes.
std::vector<std::string> target_environment(const Target& target);

/// How the program ended, as its guard tells.
struct ExitReport {
  int wait_status = 0;
  int leaked_children = 0;  ///< processes it left running; they were ended
};

/// Between us and the program stand two small processes of ours. The *guard* inherits whatever the
/// program leaves behind and ends it, also when we are killed. The *decoy* is the program's parent:
/// a test that kills its parent hits nobody else, and goes on as a child of the guard.
struct Launched {
  pid_t guard = -1;
  pid_t pid = -1;
  UniqueFd exit_report;  ///< readable once the program is gone: an ExitReport
  UniqueFd channel;      ///< our end of the socket
};

/// Starts `target` with stdin from /dev/null, its output captured, in a process group of its own.
/// SIGTERM to the guard ends it with all its children, and so does our own death. With
/// memory.header().fs_dirs, in a private file system. What goes wrong before exec comes back as an
/// error. With `debuggable` any process of the user may trace it, also where the machine allows
/// that to ancestors only. With `watch` its system calls are told there, see
/// runtime/native/syscall_watch.h; it must be told the end of what launch() returned. REQUIRES:
/// called from a thread that outlives the process.
Result<Launched> launch(const Target& target, const ElfFacts& facts, WireMemory& memory,
                        const std::filesystem::path& agent, bool debuggable = false,
                        SyscallWatch* watch = nullptr);

class PrivateFs;
class SyscallWatch;

struct LaunchSpec {
  Target target;
  ElfFacts facts;
  std::filesystem::path agent;
  std::uint32_t workers = 1;
  std::uint32_t tokens = 1u << 16;        ///< capacity for plans
  const PrivateFs* private_fs = nullptr;  ///< borrowed; nullptr = off
  bool list_only = false;
  bool stop_on_crash = false;
  bool snapshots = false;            ///< branches by going back in time, where possible
  std::uint32_t avoid_backends = 0;  ///< as in wire::Header
  bool verify_snapshots = false;
  bool same_addresses = false;    ///< each start loads the program at the same place
  bool debuggable = false;        ///< a debugger will attach
  bool run_disabled = false;      ///< tests that the framework leaves out are wanted too
  SyscallWatch* watch = nullptr;  ///< borrowed; is told its system calls
};

class TargetProcess {
 public:
  enum class State {
    loading,   ///< started, agent not heard of yet
    starting,  ///< hooked; main() and global set-up are running
    ready,     ///< in the snapshot state, waiting for a plan
    busy,      ///< running a plan in branches
    inlined,   ///< running a plan itself; ends with its process
    gone,      ///< the process has exited; see exit_status()
  };

  /// `addresses` is shared by all processes of a binary and must outlive them.
  static Result<std::unique_ptr<TargetProcess>> start(const LaunchSpec& spec,
                                                      HookAddresses& addresses);
  ~TargetProcess() { kill(); }
  TargetProcess(const TargetProcess&) = delete;
  TargetProcess& operator=(const TargetProcess&) = delete;

  State state() const { return state_; }
  pid_t pid() const { return launched_.pid; }
  /// The process above all others of this one; see launcher.cc.
  pid_t guard() const { return launched_.guard; }
  WireMemory& memory() { return memory_; }
  const WireMemory& memory() const { return memory_; }
  /// Why it cannot be used, once state() is gone before ready: refused by us, or by the agent.
  const std::string& trouble() const { return trouble_; }
  const std::string& trouble_hint() const { return trouble_hint_; }
  int exit_status() const { return exit_status_; }
  int leaked_children() const { return leaked_children_; }
  /// Gone, but not by our wish, and nobody told how: somebody has ended its guard. What is left of
  /// it was ended. exit_status() is SIGKILL then.
  bool vanished() const { return vanished_; }

  std::vector<pollfd> descriptors() const;
  /// Takes what has arrived. Never blocks.
  void pump();

  /// REQUIRES: ready.
  void run(const Plan& plan);
  void run_inline(const Plan& plan);

  /// Lets the framework tear down and waits at most `patience` for the exit, then kills.
  void quit(std::chrono::milliseconds patience);
  /// Takes some seconds at most, whatever was done to the guard.
  void kill();

 private:
  TargetProcess(WireMemory memory, Launched launched, HookAddresses& addresses,
                std::string executable, SyscallWatch* watch);
  void take_byte(char byte);
  void mistaken();
  void answer_loaded();
  void note_exit();
  void take_exit();
  void ask_for_end();
  bool await_report(short what) const;
  void send(char byte);

  WireMemory memory_;
  Launched launched_;
  HookAddresses& addresses_;
  std::string executable_;
  SyscallWatch* watch_;
  State state_ = State::loading;
  std::string trouble_, trouble_hint_;
  int exit_status_ = 0;
  int leaked_children_ = 0;
  bool faulted_ = false;
  bool asked_for_end_ = false, vanished_ = false;
};

/// Sleeps until one of the descriptors has something, or `most` has passed.
inline void wait_for(std::vector<pollfd> fds,
                     std::chrono::milliseconds most = std::chrono::milliseconds(50)) {
  ::poll(fds.data(), fds.size(), static_cast<int>(most.count()));
}

}  // namespace gordian
