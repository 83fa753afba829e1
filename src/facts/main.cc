// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// gordian-facts: what Clang knows of source files, as JSON on standard output. Started by
// `gordian fix`; document.md.
#include <llvm/Support/raw_ostream.h>

#include "facts/json.h"
#include "facts/run.h"

namespace gordian::facts {
namespace {

constexpr const char* kUsage =
    "usage: gordian-facts --commands compile_commands.json [--root DIR]... [--resource-dir DIR]\n"
    "                     FILE...\n"
    "\n"
    "Prints what Clang knows of source files as JSON: states that outlive a test, how code "
    "reaches\n"
    "and resets them, and what tests do.\n";

int fail(const std::string& why) {
  llvm::errs() << "gordian-facts: " << why << "\n";
  return 2;
}

int main_of(const std::vector<std::string>& words) {
  RunOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool takes = word == "--commands" || word == "--root" || word == "--resource-dir";
    if (takes && i + 1 == words.size()) return fail(word + " needs a value");
    if (word == "--help") {
      llvm::outs() << kUsage;
      return 0;
    }
    if (word == "--commands") {
      options.commands = words[++i];
    } else if (word == "--root") {
      options.roots.push_back(words[++i]);
    } else if (word == "--resource-dir") {
      options.resource_dir = words[++i];
    } else if (word.size() > 1 && word[0] == '-') {
      return fail("unknown option " + word + "; try --help");
    } else {
      options.files.push_back(word);
    }
  }
  if (options.commands.empty() || options.files.empty()) return fail("nothing to do; try --help");
  llvm::json::Object document;
  std::string error;
  if (!run(options, document, error)) return fail(error);
  llvm::outs() << llvm::json::Value(std::move(document)) << "\n";
  llvm::outs().flush();
  return llvm::outs().has_error() ? 1 : 0;
}

}  // namespace
}  // namespace gordian::facts

int main(int argc, char** argv) {
  return gordian::facts::main_of(std::vector<std::string>(argv + 1, argv + argc));
}
