// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/run.h"

#include <clang/Basic/Version.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "facts/command.h"
#include "facts/json.h"
#include "facts/macros.h"
#include "facts/unit.h"

namespace gordian::facts {
namespace json = llvm::json;
namespace tooling = clang::tooling;
namespace {

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

struct Reading {
  const RunOptions& options;
  Checks checks;
  std::optional<json::Object> unit;
};

class Consumer : public clang::ASTConsumer {
 public:
  explicit Consumer(Reading& reading) : reading_(reading) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    reading_.unit = unit_json(context, reading_.checks, reading_.options.roots);
  }

 private:
  Reading& reading_;
};

class Action : public clang::ASTFrontendAction {
 public:
  explicit Action(Reading& reading) : reading_(reading) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(
        reading_.checks.recorder(compiler.getSourceManager()));
    return std::make_unique<Consumer>(reading_);
  }

 private:
  Reading& reading_;
};

class Factory : public tooling::FrontendActionFactory {
 public:
  explicit Factory(Reading& reading) : reading_(reading) {}
  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<Action>(reading_);
  }

 private:
  Reading& reading_;
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
  Reading reading{options, {}, std::nullopt};
  Complaints complaints;
  tooling::ClangTool tool(commands, {file});
  tool.setDiagnosticConsumer(&complaints);
  tool.setPrintErrorMessage(false);
  tool.appendArgumentsAdjuster([&](const tooling::CommandLineArguments& command, llvm::StringRef) {
    return adjusted_command(command, {options.resource_dir, without_machine});
  });
  Factory factory(reading);
  tool.run(&factory);
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

}  // namespace

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

}  // namespace gordian::facts
