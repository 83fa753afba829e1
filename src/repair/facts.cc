// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/facts.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>

#include "base/files.h"
#include "base/sha256.h"
#include "repair/unit_facts.h"
#include "symbols/debug_info.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

std::string digest_of(std::string_view content) {
  Sha256 digest;
  digest.update(content);
  return digest.hex_digest();
}

bool is_same(const UnitFile& file, const ReadSource& read) {
  if (!file.digest.empty()) {
    const auto content = read(file.file);
    return content && digest_of(*content) == file.digest;
  }
  // Of libraries, which no patch changes.
  struct stat now {};
  return ::stat(file.file.c_str(), &now) == 0 &&
         static_cast<std::uint64_t>(now.st_size) == file.size && now.st_mtime == file.time;
}

/// What gordian-facts said of a translation unit, kept between runs: one file for each unit and
/// command, which is good as long as every file that was read is still the same. What cannot be
/// read or written is done without. Files are written beside and renamed.
class FactsCache {
 public:
  /// Without a directory nothing is kept. `salt` tells programs and their options apart.
  FactsCache(std::filesystem::path directory, std::string salt)
      : directory_(std::move(directory)), salt_(std::move(salt)) {}

  std::optional<UnitFacts> find(const CompileCommand& command, const ReadSource& read) const {
    if (directory_.empty()) return std::nullopt;
    auto units = parse_unit_facts(whole_file(place_of(command)).value_or(""));
    if (!units.ok() || units->size() != 1 || units->front().unit.file != command.file)
      return std::nullopt;
    UnitFacts& unit = units->front();
    const bool same = std::all_of(unit.files.begin(), unit.files.end(),
                                  [&](const UnitFile& file) { return is_same(file, read); });
    if (!same || unit.files.empty()) return std::nullopt;
    return std::move(unit);
  }

  /// `output` is what was printed. Units with errors are not kept: the file that is missing may
  /// come.
  void keep(const CompileCommand& command, const UnitFacts& unit, const std::string& output) const {
    if (directory_.empty() || unit.unit.errors > 0) return;
    std::error_code failed;
    fs::create_directories(directory_, failed);
    const fs::path place = place_of(command);
    std::string beside = place.string() + ".XXXXXX";  // process numbers are not unique: namespaces
    const int fd = ::mkstemp(beside.data());
    if (fd < 0) return;
    ::close(fd);
    {
      std::ofstream out(beside, std::ios::binary);
      out << output;
      out.flush();
      if (!out) {
        fs::remove(beside, failed);
        return;
      }
    }
    fs::rename(beside, place, failed);
    if (failed) fs::remove(beside, failed);
  }

 private:
  fs::path place_of(const CompileCommand& command) const {
    return directory_ / (digest_of(salt_ + '\0' + command.file + '\0' + command.command) + ".json");
  }

  std::filesystem::path directory_;
  std::string salt_;
};

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

class Facts {
 public:
  Facts(Workspace& workspace, FactsOptions options)
      : workspace_(workspace), options_(std::move(options)) {
    if (options_.program.empty()) options_.program = find_facts_program().value_or(fs::path());
  }

  Result<SourceFacts> read(const std::vector<std::string>& files) const {
    std::string why = why_not_by_compiler();
    if (why.empty()) {
      auto facts = compiler_facts(files, compiler_options(), world());
      if (facts.ok()) return facts;
      why = facts.error().message;
    }
    auto facts =
        debug_facts(files, workspace_.project().target.binary, default_cache_dir(), world().read);
    if (!facts.ok()) return facts.error();
    facts->notices.insert(facts->notices.begin(),
                          why + "; facts come from debug information and are fewer");
    return facts;
  }

 private:
  std::string why_not_by_compiler() const {
    if (options_.without_compiler) return "Clang was not to be asked";
    if (options_.program.empty()) return "gordian-facts is not installed beside gordian";
    if (workspace_.project().compile_commands.empty())
      return "the build has no compile_commands.json (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)";
    return "";
  }

  CompilerFactsOptions compiler_options() const {
    const Project& project = workspace_.project();
    CompilerFactsOptions result;
    result.program = options_.program;
    result.compile_commands = project.compile_commands;
    if (!project.source_root.empty()) result.roots.push_back(project.source_root.string());
    for (const fs::path& dir : project.source_dirs) result.roots.push_back(dir.string());
    result.cache_dir = options_.cache_dir;
    return result;
  }

  FactsWorld world() const {
    Workspace& workspace = workspace_;
    return {[&workspace](const std::string& file) { return workspace.read(file); },
            [&workspace](const std::vector<std::string>& argv, std::string& output) {
              return workspace.helper(argv, output);
            },
            options_.tell};
  }

  Workspace& workspace_;
  FactsOptions options_;
};

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

FactsOf facts_in(Workspace& workspace, const FactsOptions& options) {
  return [facts = Facts(workspace, options)](const std::vector<std::string>& files) {
    return facts.read(files);
  };
}

}  // namespace gordian
