// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// compile_commands.json: which translation units a project has, and which of them shows a file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gordian {

struct CompileCommand {
  std::string file;     ///< absolute, normal
  std::string command;  ///< the whole entry's words, to see whether it has changed
};

/// In the order of the file; of several for one file the first.
Result<std::vector<CompileCommand>> parse_compile_commands(std::string_view content);

/// Contents of a file; nullopt: not there.
using ReadSource = std::function<std::optional<std::string>(const std::string& file)>;

/// The unit that compiles `file`; for a header one that includes it: of the same name (a.cc for
/// a.h), else the first whose own text includes it. Null: none is known.
const CompileCommand* unit_showing(const std::string& file,
                                   const std::vector<CompileCommand>& commands,
                                   const ReadSource& read);
/// Likewise by the name alone: where a function that a header declares may be defined.
const CompileCommand* unit_named_like(const std::string& header,
                                      const std::vector<CompileCommand>& commands);

}  // namespace gordian
