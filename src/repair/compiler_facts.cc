// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/compiler_facts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "repair/facts_cache.h"
#include "repair/facts_link.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// Units that were not asked for but define functions that those call.
constexpr std::size_t kMostFurtherUnits = 16;

/// A program that was replaced has other things to say.
std::string identity(const CompilerFactsOptions& options) {
  std::error_code failed;
  const auto size = fs::file_size(options.program, failed);
  const auto time = fs::last_write_time(options.program, failed).time_since_epoch().count();
  std::string salt =
      fmt::format("{} {} {} {}", kFactsVersion, options.program.string(), size, time);
  for (const std::string& root : options.roots) salt += "\n" + root;
  return salt;
}

class Units {
 public:
  Units(const std::vector<CompileCommand>& commands, const CompilerFactsOptions& options,
        const FactsWorld& world)
      : commands_(commands),
        options_(options),
        world_(world),
        cache_(options.cache_dir, identity(options)) {}

  Status add(const CompileCommand& command) {
    if (!seen_.insert(command.file).second) return {};
    if (auto kept = cache_.find(command, world_.read)) {
      found_.push_back(std::move(*kept));
      return {};
    }
    world_.tell("reading " + command.file);
    std::string output;
    auto code = world_.run(argv_for(command), output);
    if (!code.ok()) return code.error();
    auto units = parse_unit_facts(output);
    if (*code != 0) return failure(command, *code, output);
    if (!units.ok()) return units.error();
    if (units->size() != 1)
      return internal_error("gordian-facts did not answer for " + command.file);
    cache_.keep(command, units->front(), output);
    found_.push_back(std::move(units->front()));
    return {};
  }

  /// Functions that are called but defined elsewhere: in the file named as their header.
  Status add_further() {
    std::set<const CompileCommand*> further;
    for (const auto& function : undefined_functions(found_)) {
      const CompileCommand* command = unit_named_like(function.file, commands_);
      if (command != nullptr && !seen_.contains(command->file)) further.insert(command);
      if (further.size() >= kMostFurtherUnits) break;
    }
    for (const CompileCommand* command : further) {
      if (Status added = add(*command); !added.ok()) return added;
    }
    return {};
  }

  const std::vector<UnitFacts>& found() const { return found_; }

 private:
  std::vector<std::string> argv_for(const CompileCommand& command) const {
    std::vector<std::string> argv = {options_.program.string(), "--commands",
                                     options_.compile_commands.string()};
    for (const std::string& root : options_.roots) argv.insert(argv.end(), {"--root", root});
    argv.push_back(command.file);
    return argv;
  }

  static Error failure(const CompileCommand& command, int code, const std::string& output) {
    const std::string last = output.substr(0, output.find('\n'));
    return internal_error(
        fmt::format("gordian-facts ended with code {} on {}{}", code, command.file,
                    last.empty() || last.starts_with('{') ? "" : ": " + last),
        "the same happens with: gordian-facts --commands compile_commands.json " + command.file);
  }

  const std::vector<CompileCommand>& commands_;
  const CompilerFactsOptions& options_;
  const FactsWorld& world_;
  FactsCache cache_;
  std::set<std::string> seen_;
  std::vector<UnitFacts> found_;
};

void add_notices(SourceFacts& facts) {
  for (const UnitFact& unit : facts.units) {
    if (unit.errors == 0) continue;
    facts.notices.push_back(
        fmt::format("Clang does not understand all of {}: {}", unit.file, unit.first_error));
  }
}

}  // namespace

std::optional<fs::path> find_facts_program() {
  std::error_code failed;
  const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
  fs::path program = here / "gordian-facts";
  if (failed || ::access(program.c_str(), X_OK) != 0) return std::nullopt;
  return program;
}

Result<SourceFacts> compiler_facts(const std::vector<std::string>& files,
                                   const CompilerFactsOptions& options, const FactsWorld& world) {
  const auto content = world.read(options.compile_commands.string());
  if (!content) return usage_error(options.compile_commands.string() + " cannot be read");
  auto commands = parse_compile_commands(*content);
  if (!commands.ok()) return commands.error();
  Units units(*commands, options, world);
  std::vector<std::string> unseen;
  for (const std::string& file : files) {
    const CompileCommand* command = unit_showing(file, *commands, world.read);
    if (command == nullptr) {
      unseen.push_back("no compile command shows " + file);
    } else if (Status added = units.add(*command); !added.ok()) {
      return added.error();
    }
  }
  if (units.found().empty()) {
    return usage_error(unseen.empty() ? "no source file to read" : unseen.front(),
                       "is compile_commands.json of the build that made the tests?");
  }
  if (Status added = units.add_further(); !added.ok()) return added.error();
  SourceFacts facts = link_facts(units.found());
  facts.notices = std::move(unseen);
  add_notices(facts);
  return facts;
}

}  // namespace gordian
