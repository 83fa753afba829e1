// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Arguments of a system call that stand in the caller's memory.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace gordian {

/// `size` bytes, all of them or nothing; then errno tells why: EFAULT is the program's own fault.
std::optional<std::string> read_remote(pid_t thread, std::uint64_t address, std::size_t size);
/// Up to the zero byte; nothing when there is none within PATH_MAX.
std::optional<std::string> read_remote_path(pid_t thread, std::uint64_t address);

}  // namespace gordian
