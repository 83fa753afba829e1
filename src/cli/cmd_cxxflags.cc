// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/command.h"
#include "flow/traced/compile_flags.h"

namespace gordian {
namespace {

// How a build for coverage is made: the compilers' own flags.

std::vector<std::string> coverage_compile_flags(bool clang) {
  // Atomic, or counts of threads get lost: then blocks seem not to have run.
  if (clang) {
    return {"-fprofile-instr-generate", "-fcoverage-mapping", "-fprofile-update=atomic"};
  }
  return {"--coverage", "-fprofile-update=atomic"};
}

/// For executables and shared libraries.
std::vector<std::string> coverage_link_flags(bool clang) {
  return {clang ? "-fprofile-instr-generate" : "--coverage"};
}

struct CxxflagsCommand {
  std::string compiler;
  bool link = false, lines = false, coverage = false;
};

/// As build systems choose it.
std::string default_compiler() {
  const char* named = std::getenv("CXX");
  return named != nullptr && *named != '\0' ? named : "c++";
}

Result<Compiler> chosen_compiler(const CxxflagsCommand& command) {
  return recognise_compiler(command.compiler.empty() ? default_compiler() : command.compiler);
}

Result<std::vector<std::string>> trace_flags(const CxxflagsCommand& command) {
  auto files = find_trace_files();
  if (!files) return files.error();
  if (command.link) return link_flags(*files);
  auto compiler = chosen_compiler(command);
  if (!compiler) return compiler.error();
  return compile_flags(*compiler, *files);
}

Result<std::vector<std::string>> coverage_flags(const CxxflagsCommand& command) {
  auto compiler = chosen_compiler(command);
  if (!compiler) return compiler.error();
  const bool clang = *compiler == Compiler::clang;
  return command.link ? coverage_link_flags(clang) : coverage_compile_flags(clang);
}

int cxxflags(const CxxflagsCommand& command) {
  auto flags = command.coverage ? coverage_flags(command) : trace_flags(command);
  if (!flags) return report_error(flags.error());
  std::string text;
  if (command.lines) {
    for (const std::string& flag : *flags) text += flag + "\n";
  } else {
    text = shell_quoted(*flags) + "\n";
  }
  return print_result(text);
}

}  // namespace

std::function<int()> declare_cxxflags(OptionSet& set, CommonOptions&) {
  auto command = std::make_shared<CxxflagsCommand>();
  set.add_option("--compiler", command->compiler,
                 "gcc, clang, or the path of a compiler (default: $CXX, else c++)");
  set.add_flag("--coverage", command->coverage,
               "Flags for a build that counts what each test covers, in place of a traced one");
  set.add_flag("--link", command->link,
               "Flags for linking executables; for traced builds the same for all compilers");
  set.add_flag("--lines", command->lines, "One flag a line, not quoted: for programs");
  return [command] { return cxxflags(*command); };
}

}  // namespace gordian
