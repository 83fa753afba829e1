// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Starts a test binary with the agent in it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "model/target.h"
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

}  // namespace gordian
