// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Facts from the compiler: chooses the translation units that show some files, lets gordian-facts
// read each (or takes what is kept of it), and links the results.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "repair/compile_commands.h"
#include "repair/source_facts.h"

namespace gordian {

/// gordian-facts beside our own executable; nullopt: it was not built or not installed.
std::optional<std::filesystem::path> find_facts_program();

struct CompilerFactsOptions {
  std::filesystem::path program;  ///< gordian-facts
  std::filesystem::path compile_commands;
  std::vector<std::string> roots;   ///< what is below these is the user's
  std::filesystem::path cache_dir;  ///< empty: nothing is kept
};

/// How the outside is reached: as the copy shows it.
struct FactsWorld {
  ReadSource read;
  /// Runs a program; its exit code, and what it printed in `output`.
  std::function<Result<int>(const std::vector<std::string>& argv, std::string& output)> run;
  std::function<void(const std::string& sentence)> tell = [](const std::string&) {};
};

/// An error when no unit shows any of the files, or gordian-facts does not work. Files that no unit
/// shows, and units with errors, are told in notices.
Result<SourceFacts> compiler_facts(const std::vector<std::string>& files,
                                   const CompilerFactsOptions& options, const FactsWorld& world);

}  // namespace gordian
