// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// gordian-facts: what Clang knows of source files, as JSON on standard output. Started by
// `gordian fix`; document.md.

#include <clang/Basic/Version.h>
#include <clang/Driver/Options.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Option/Arg.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "facts/unit.h"

namespace gordian::facts {
namespace {

// Reads source files with their compile commands, one unit for each.

struct RunOptions {
  std::string commands;  ///< compile_commands.json
  std::vector<std::string> roots;
  std::string resource_dir;
  std::vector<std::string> files;
};

namespace json = llvm::json;
namespace tooling = clang::tooling;

// Makes a command that was meant for g++ fit for Clang: options that Clang does not know are left
// out, warnings, sanitizers, plugins and the like too, and Clang's own headers are found.

struct CommandOptions {
  std::string resource_dir;      ///< with Clang's own headers; empty: where it was built
  bool without_machine = false;  ///< leave out -march and the like, which the first try minded
};

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

/// Counts errors and keeps the first one.
class Complaints : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error || !first.empty()) return;
    llvm::SmallString<256> text;
    diagnostic.FormatDiagnostic(text);
    first = place(diagnostic) + std::string(text.str());
  }

  std::string first;

 private:
  static std::string place(const clang::Diagnostic& diagnostic) {
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return "";
    const auto where = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    if (where.isInvalid()) return "";
    return std::string(where.getFilename()) + ":" + std::to_string(where.getLine()) + ": ";
  }
};

/// One file on its way: what stands in it is noted while Clang reads it.
struct Reading : tooling::SourceFileCallbacks {
  explicit Reading(const RunOptions& run_options) : options(run_options) {}

  bool handleBeginSource(clang::CompilerInstance& compiler) override {
    compiler.getPreprocessor().addPPCallbacks(checks.recorder(compiler.getSourceManager()));
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> newASTConsumer() {
    struct Consumer : clang::ASTConsumer {
      explicit Consumer(Reading& to) : reading(to) {}
      void HandleTranslationUnit(clang::ASTContext& context) override {
        reading.unit = unit_json(context, reading.checks, reading.options.roots);
      }
      Reading& reading;
    };
    return std::make_unique<Consumer>(*this);
  }

  const RunOptions& options;
  Checks checks;
  std::optional<json::Object> unit;
};

/// Only the first command of a file: others are the same file for other targets.
class FirstCommands : public tooling::CompilationDatabase {
 public:
  explicit FirstCommands(std::unique_ptr<CompilationDatabase> all) : all_(std::move(all)) {}
  std::vector<tooling::CompileCommand> getCompileCommands(llvm::StringRef file) const override {
    auto commands = all_->getCompileCommands(file);
    if (commands.size() > 1) commands.resize(1);
    return commands;
  }

 private:
  std::unique_ptr<CompilationDatabase> all_;
};

json::Object failed_unit(const std::string& file, const std::string& why) {
  return json::Object{{"file", text_json(file)}, {"errors", 1}, {"first_error", text_json(why)}};
}

json::Object read_once(const FirstCommands& commands, const std::string& file,
                       const RunOptions& options, bool without_machine) {
  Reading reading(options);
  Complaints complaints;
  tooling::ClangTool tool(commands, {file});
  tool.setDiagnosticConsumer(&complaints);
  tool.setPrintErrorMessage(false);
  tool.appendArgumentsAdjuster([&](const tooling::CommandLineArguments& command, llvm::StringRef) {
    return adjusted_command(command, {options.resource_dir, without_machine});
  });
  tool.run(tooling::newFrontendActionFactory(&reading, &reading).get());
  if (!reading.unit) {
    return failed_unit(file,
                       complaints.first.empty() ? "Clang could not read it" : complaints.first);
  }
  (*reading.unit)["file"] = text_json(file);
  (*reading.unit)["errors"] = static_cast<std::int64_t>(complaints.getNumErrors());
  (*reading.unit)["first_error"] = text_json(complaints.first);
  return std::move(*reading.unit);
}

json::Object read_file(const FirstCommands& commands, const std::string& file,
                       const RunOptions& options) {
  if (commands.getCompileCommands(file).empty())
    return failed_unit(file, "no compile command names it");
  json::Object unit = read_once(commands, file, options, false);
  // An -march that Clang does not know ends the reading before it begins.
  if (unit.get("states") == nullptr) unit = read_once(commands, file, options, true);
  return unit;
}

/// The whole document. A file without a command or with errors is a unit that says so; false and
/// a sentence in `error` when there is nothing to read commands from.
bool run(const RunOptions& options, json::Object& document, std::string& error) {
  auto read = tooling::JSONCompilationDatabase::loadFromFile(
      options.commands, error, tooling::JSONCommandLineSyntax::AutoDetect);
  if (!read) return false;
  const FirstCommands commands(
      tooling::expandResponseFiles(std::move(read), llvm::vfs::getRealFileSystem()));
  json::Array units;
  for (const std::string& file : options.files) units.push_back(read_file(commands, file, options));
  document = json::Object{{"gordian_facts", kFactsVersion},
                          {"version", GORDIAN_VERSION},
                          {"clang", CLANG_VERSION_STRING},
                          {"units", std::move(units)}};
  return true;
}

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
