// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/command.h"

#include <clang/Driver/Options.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Option/Arg.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>

#include <algorithm>
#include <array>
#include <set>

namespace gordian::facts {
namespace {

/// Known to Clang, but of no use for reading, or in need of files that only g++ has.
bool is_unwanted(llvm::StringRef word) {
  constexpr std::array<llvm::StringRef, 12> kBegins = {
      "-fsanitize", "-fno-sanitize", "-fprofile", "--coverage", "-fcoverage",    "-ftest-coverage",
      "-flto",      "-fplugin",      "-fmodules", "-fanalyzer", "-fdiagnostics", "-gsplit-dwarf"};
  if (word.starts_with("-W") && !word.starts_with("-Wp,")) return true;
  if (word == "-pedantic" || word == "-pedantic-errors") return true;
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [&](llvm::StringRef begin) { return word.starts_with(begin); });
}

bool is_of_machine(llvm::StringRef word) {
  return word.starts_with("-m") && word != "-m32" && word != "-m64" && word != "-mllvm";
}

/// Positions of the words that Clang's driver does not know.
std::set<std::size_t> unknown_words(const std::vector<std::string>& command) {
  std::vector<const char*> words;
  for (std::size_t i = 1; i < command.size(); ++i) words.push_back(command[i].c_str());
  unsigned missing_at = 0, missing = 0;
  const auto parsed = clang::driver::getDriverOptTable().ParseArgs(words, missing_at, missing);
  std::set<std::size_t> unknown;
  for (const auto* word : parsed.filtered(clang::driver::options::OPT_UNKNOWN))
    unknown.insert(word->getIndex() + 1);
  return unknown;
}

}  // namespace

std::vector<std::string> adjusted_command(const std::vector<std::string>& command,
                                          const CommandOptions& options) {
  std::vector<std::string> result;
  if (command.empty()) return result;
  const auto unknown = unknown_words(command);
  for (std::size_t i = 0; i < command.size(); ++i) {
    const bool drop = i > 0 && (unknown.count(i) > 0 || is_unwanted(command[i]) ||
                                (options.without_machine && is_of_machine(command[i])));
    if (!drop) result.push_back(command[i]);
  }
  const std::string resources =
      options.resource_dir.empty() ? GORDIAN_CLANG_RESOURCES : options.resource_dir;
  const std::vector<std::string> more = {"-Wno-everything", "-Qunused-arguments", "-ferror-limit=0",
                                         "-resource-dir=" + resources};
  result.insert(result.begin() + 1, more.begin(), more.end());
  return result;
}

}  // namespace gordian::facts
