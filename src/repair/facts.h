// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Facts of source files in the copy: from the compiler where gordian-facts and compile commands are
// there, else from debug information, with a notice that says why.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "repair/repair.h"
#include "repair/source_facts.h"
#include "repair/workspace.h"

namespace gordian {

/// An entry of compile_commands.json: a translation unit of the project.
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

/// Facts from the compiler: chooses the translation units that show some files, lets gordian-facts
/// read each (or takes what is kept of it), and links the results. An error when no unit shows any
/// of the files, or gordian-facts does not work. Files that no unit shows, and units with errors,
/// are told in notices.
Result<SourceFacts> compiler_facts(const std::vector<std::string>& files,
                                   const CompilerFactsOptions& options, const FactsWorld& world);

/// Facts without a compiler: states from the debug information of the test binary, tests and
/// fixtures from a lexer. What statements write, and whether something can be copied, stays
/// unknown. Files that cannot be read are told in notices. An error: no debug information.
Result<SourceFacts> debug_facts(const std::vector<std::string>& files,
                                const std::filesystem::path& binary,
                                const std::optional<std::filesystem::path>& cache_dir,
                                const ReadSource& read);

/// The text of the initializer of the variable that is declared on this line: "2", "{1, 2}",
/// "(3, 'x')"; empty: none is seen.
std::string lex_initializer(const std::string& content, int line, const std::string& name);

struct FactsOptions {
  std::filesystem::path cache_dir;  ///< ".gordian/facts"; empty: nothing is kept
  std::filesystem::path program;    ///< gordian-facts; empty: the one beside us, if any
  bool without_compiler = false;
  std::function<void(const std::string& sentence)> tell = [](const std::string&) {};
};

/// From wherever they can be had. `workspace` must live as long as what is returned.
FactsOf facts_in(Workspace& workspace, const FactsOptions& options);

}  // namespace gordian
