// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which tests may be run by one server: those of the same file, with the same arguments, options,
// directory, environment and processors, asked for by the same ctest. All of it is spelled out in
// one text. Its hash only names the socket; the server compares the whole text with its own, so
// that no collision can give a test to the wrong binary.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace gordian::batch {

/// A process, safe against reuse of its number.
struct ProcessName {
  pid_t pid = 0;
  std::uint64_t start = 0;  ///< when it began, in the kernel's ticks since boot

  std::string text() const;  ///< "PID:START"
  static Result<ProcessName> parse(const std::string& text);
};

/// Our nearest ancestor called ctest, or our parent if there is none.
ProcessName find_ctest();
bool is_alive(const ProcessName& process);

struct Batch {
  std::string binary;                ///< absolute
  std::vector<std::string> args;     ///< for it
  std::vector<std::string> options;  ///< for the server, "--name=value"
  ProcessName ctest;
};

/// The file as it is now. Changes with every build. Errors: there is no such file.
Result<std::string> file_stamp(const std::string& binary);

/// Of this process: its directory and environment count. Errors: no such binary.
Result<std::string> identity_text(const Batch& batch);

/// A file name: the ctest's number, and a hash.
std::string socket_name(const std::string& identity, const ProcessName& ctest);

}  // namespace gordian::batch
