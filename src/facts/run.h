// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Reads source files with their compile commands, one unit for each.
#pragma once

#include <llvm/Support/JSON.h>

#include <string>
#include <vector>

namespace gordian::facts {

struct RunOptions {
  std::string commands;  ///< compile_commands.json
  std::vector<std::string> roots;
  std::string resource_dir;
  std::vector<std::string> files;
};

/// The whole document. A file without a command or with errors is a unit that says so; false and
/// a sentence in `error` when there is nothing to read commands from.
bool run(const RunOptions& options, llvm::json::Object& document, std::string& error);

}  // namespace gordian::facts
