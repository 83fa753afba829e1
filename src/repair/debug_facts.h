// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Facts without a compiler: states from the debug information of the test binary, tests and
// fixtures from a lexer. What statements write, and whether something can be copied, stays unknown.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "repair/compile_commands.h"
#include "repair/source_facts.h"

namespace gordian {

/// Files that cannot be read are told in notices. An error: no debug information.
Result<SourceFacts> debug_facts(const std::vector<std::string>& files,
                                const std::filesystem::path& binary,
                                const std::optional<std::filesystem::path>& cache_dir,
                                const ReadSource& read);

/// The text of the initializer of the variable that is declared on this line: "2", "{1, 2}",
/// "(3, 'x')"; empty: none is seen.
std::string lex_initializer(const std::string& content, int line, const std::string& name);

}  // namespace gordian
