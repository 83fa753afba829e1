// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>

#include "base/shell.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "report/write_file.h"
#include "trace/traced/compile_flags.h"

namespace gordian {
namespace {

struct CxxflagsCommand {
  std::string compiler;
  bool link = false, lines = false;
};

/// As build systems choose it.
std::string default_compiler() {
  const char* named = std::getenv("CXX");
  return named != nullptr && *named != '\0' ? named : "c++";
}

int cxxflags(const CxxflagsCommand& command) {
  auto files = find_trace_files();
  if (!files) return report_error(files.error());
  std::vector<std::string> flags;
  if (command.link) {
    flags = link_flags(*files);
  } else {
    auto compiler =
        recognise_compiler(command.compiler.empty() ? default_compiler() : command.compiler);
    if (!compiler) return report_error(compiler.error());
    flags = compile_flags(*compiler, *files);
  }
  std::string text;
  if (command.lines) {
    for (const std::string& flag : flags) text += flag + "\n";
  } else {
    text = shell_quoted(flags) + "\n";
  }
  Status written = write_all(1, text, "standard output");
  return written ? kExitOk : report_error(written.error());
}

}  // namespace

std::function<int()> declare_cxxflags(CLI::App& app, CommonOptions&) {
  auto command = std::make_shared<CxxflagsCommand>();
  app.add_option("--compiler", command->compiler,
                 "gcc, clang, or the path of a compiler (default: $CXX, else c++)");
  app.add_flag("--link", command->link,
               "Flags for linking executables, the same for all compilers");
  app.add_flag("--lines", command->lines, "One flag a line, not quoted: for programs");
  return [command] { return cxxflags(*command); };
}

}  // namespace gordian
