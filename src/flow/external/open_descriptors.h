// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a process has open: reading and writing it needs no call that names it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "flow/external/process_files.h"

namespace gordian {

struct OpenDescription {
  std::string path;                         ///< of a file; empty for a socket
  bool readable = false, writable = false;  ///< a file
  std::optional<std::string> peer;          ///< of a connected socket: its struct sockaddr
};

/// Files with a name and connected sockets. What may not be looked at is left out.
std::vector<OpenDescription> open_descriptions(pid_t process, const ProcessFiles& files);

}  // namespace gordian
