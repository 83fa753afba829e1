// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Reading the memory of a process we started. Addresses are numbers of another process: they have a
// type of their own and cannot be dereferenced.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strong_id.h"

namespace gordian {

using TargetAddr = StrongId<struct TargetAddrTag, std::uint64_t>;

/// One line of /proc/PID/maps.
struct Mapping {
  TargetAddr begin, end;
  bool readable = false, writable = false, executable = false;
  std::string path;
  bool shared = false;
  bool operator==(const Mapping&) const = default;
};

std::vector<Mapping> read_mappings(pid_t pid);

/// `size` bytes at `at`; nullopt when any of them is not there or reading is not allowed.
std::optional<std::string> read_memory(pid_t pid, TargetAddr at, std::size_t size);

}  // namespace gordian
