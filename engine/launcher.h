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
#include "engine/wire_memory.h"
#include "suite/target.h"
#include "symbols/elf_file.h"

namespace gordian {

/// The agent's shared object: $GORDIAN_AGENT, beside our own executable, or in its lib directory.
Result<std::filesystem::path> find_agent();

/// The environment a test binary is started with: ours, without what would change the framework's
/// own choice of tests (GTEST_*, sharding, output files), then the target's changes.
std::vector<std::string> target_environment(const Target& target);

struct Launched {
  pid_t pid = -1;
  UniqueFd pidfd;    ///< readable once the process has exited
  UniqueFd channel;  ///< our end of the socket
};

/// Starts `target` with stdin from /dev/null, its output captured, in a process group of its own,
/// to be killed by the kernel should we die. With memory.header().fs_dirs, in a private file
/// system. What goes wrong before exec comes back as an error.
/// REQUIRES: called from a thread that outlives the process.
Result<Launched> launch(const Target& target, const ElfFacts& facts, WireMemory& memory,
                        const std::filesystem::path& agent);

}  // namespace gordian
