// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Makes a command that was meant for g++ fit for Clang: options that Clang does not know are left
// out, warnings, sanitizers, plugins and the like too, and Clang's own headers are found.
#pragma once

#include <string>
#include <vector>

namespace gordian::facts {

struct CommandOptions {
  std::string resource_dir;      ///< with Clang's own headers; empty: where it was built
  bool without_machine = false;  ///< leave out -march and the like, which the first try minded
};

std::vector<std::string> adjusted_command(const std::vector<std::string>& command,
                                          const CommandOptions& options);

}  // namespace gordian::facts
