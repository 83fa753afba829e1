// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "base/files.h"
#include "base/text.h"
#include "runtime/runtime.h"
#include "symbols/debug_info.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Answers of somebody else's program: what is missing reads as null, and nothing throws.
class Reply {
 public:
  Reply(fs::path build_dir, const TextOf& text_of)
      : build_dir_(std::move(build_dir)), text_of_(text_of) {}

  json read(const std::string& name) const {
    const auto text = text_of_(build_dir_ / kCmakeReply / name);
    return text ? json::parse(*text, nullptr, false) : json();
  }

 private:
  fs::path build_dir_;
  const TextOf& text_of_;
};

json value_at(const json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object[key] : json();
}

std::string text_at(const json& object, const char* key) {
  const json value = value_at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

int number_at(const json& object, const char* key, int otherwise) {
  const json value = value_at(object, key);
  return value.is_number_integer() ? value.get<int>() : otherwise;
}

json list_at(const json& object, const char* key) {
  const json value = value_at(object, key);
  return value.is_array() ? value : json::array();
}

json item(const json& list, int index) {
  const bool there = index >= 0 && static_cast<std::size_t>(index) < list.size();
  return there ? list[static_cast<std::size_t>(index)] : json();
}

bool makes(const json& target, const fs::path& build_dir, const fs::path& binary) {
  for (const json& artifact : list_at(target, "artifacts")) {
    if ((build_dir / text_at(artifact, "path")).lexically_normal() == binary) return true;
  }
  return false;
}

/// These bring in a file rather than make a target.
bool brings_in(const std::string& command) {
  return command.empty() || command == "include" || command == "add_subdirectory" ||
         command == "find_package";
}

/// From add_executable outwards through the functions around it, to the call in the user's code
/// that is about this target alone.
void find_place(const json& target, const fs::path& source_dir, CmakeTarget& found) {
  const json graph = value_at(target, "backtraceGraph");
  const json nodes = list_at(graph, "nodes"), files = list_at(graph, "files"),
             commands = list_at(graph, "commands");
  int at = number_at(target, "backtrace", -1);
  for (std::size_t steps = 0; steps <= nodes.size(); ++steps) {
    const json node = item(nodes, at);
    const json command = item(commands, number_at(node, "command", -1));
    if (!command.is_string() || (steps > 0 && brings_in(command.get<std::string>()))) return;
    const json file = item(files, number_at(node, "file", -1));
    if (!file.is_string() || number_at(node, "line", 0) == 0) return;
    found.file = (source_dir / file.get<std::string>()).lexically_normal();
    found.line = number_at(node, "line", 0);
    at = number_at(node, "parent", -1);
  }
}

/// The first directory from here upwards that has an entry of this name; empty: none.
fs::path above_with(fs::path directory, const char* name) {
  std::error_code failed;
  for (;; directory = directory.parent_path()) {
    if (fs::exists(directory / name, failed)) return directory;
    if (directory == directory.parent_path()) return {};
  }
}

/// What a binary was made of, as far as it is still there.
std::vector<CompiledSource> sources_of(const fs::path& binary) {
  std::vector<CompiledSource> kept;
  auto sources = compiled_sources(binary);
  if (!sources) return kept;
  for (CompiledSource& source : *sources) {
    std::error_code failed;
    fs::path real = fs::canonical(source.file, failed);
    if (failed || is_below(real, "/usr")) continue;
    source.file = real;
    kept.push_back(std::move(source));
  }
  return kept;
}

/// CMakeCache.txt above the binary, or where its compilers were started if it lies elsewhere.
fs::path find_build_dir(const fs::path& binary, const std::vector<CompiledSource>& sources) {
  if (fs::path found = above_with(binary.parent_path(), "CMakeCache.txt"); !found.empty()) {
    return found;
  }
  for (const CompiledSource& source : sources) {
    if (source.directory.empty()) continue;
    if (fs::path found = above_with(source.directory, "CMakeCache.txt"); !found.empty()) {
      return found;
    }
  }
  return {};
}

fs::path common_directory(const std::vector<CompiledSource>& sources) {
  fs::path common;
  for (const CompiledSource& source : sources) {
    const fs::path directory = fs::path(source.file).parent_path();
    if (common.empty()) common = directory;
    while (!is_below(directory, common)) common = common.parent_path();
  }
  return common;
}

Result<fs::path> existing_directory(const fs::path& path) {
  std::error_code failed;
  fs::path real = fs::canonical(path, failed);
  if (!failed && fs::is_directory(real, failed)) return real;
  return usage_error(fmt::format("--source {}: there is no such directory", path.string()),
                     "name the one that holds the program's sources");
}

/// The user's word; else the checkout around the sources; else what CMake calls its source; else
/// the directory that all sources have in common.
Result<fs::path> find_source_root(const ProjectOptions& options, const fs::path& home,
                                  const std::vector<CompiledSource>& sources) {
  if (!options.source_root.empty()) return existing_directory(options.source_root);
  const fs::path start = !home.empty() ? home : common_directory(sources);
  if (start.empty() || start == start.root_path()) {
    return target_error("the program does not tell where its sources are",
                        "build it with -g, or name their directory with --source DIR");
  }
  const fs::path checkout = above_with(start, ".git");
  return checkout.empty() || checkout == checkout.root_path() ? start : checkout;
}

/// Directories with sources that the root does not contain.
std::vector<fs::path> dirs_outside(const fs::path& root, const fs::path& build_dir,
                                   const std::vector<CompiledSource>& sources) {
  std::error_code failed;
  const fs::path real_build = fs::canonical(build_dir, failed);
  std::set<fs::path> outside;
  for (const CompiledSource& source : sources) {
    const fs::path directory = fs::path(source.file).parent_path();
    const bool in_build = !real_build.empty() && is_below(directory, real_build);
    if (!is_below(directory, root) && !in_build) outside.insert(directory);
  }
  return {outside.begin(), outside.end()};
}

unsigned build_jobs() {
  return std::max(1u, std::thread::hardware_concurrency());
}

Status read_cmake(Project& project, fs::path& home) {
  const auto text = whole_file(project.build_dir / "CMakeCache.txt");
  if (!text) {
    return target_error(fmt::format("cannot read {}/CMakeCache.txt", project.build_dir.string()));
  }
  auto cache = parse_cmake_cache(*text);
  std::error_code failed;
  home = fs::canonical(cache["CMAKE_HOME_DIRECTORY"], failed);
  if (failed) {
    return target_error(fmt::format("the sources of {} are not at {} any more",
                                    project.build_dir.string(), cache["CMAKE_HOME_DIRECTORY"]),
                        "configure the build anew");
  }
  // Its own name of itself, which may lead through links: CMake insists on it.
  if (fs::equivalent(cache["CMAKE_CACHEFILE_DIR"], project.build_dir, failed)) {
    project.build_dir = cache["CMAKE_CACHEFILE_DIR"];
  }
  project.cmake_program =
      fs::exists(cache["CMAKE_COMMAND"], failed) ? cache["CMAKE_COMMAND"] : std::string("cmake");
  const fs::path commands = project.build_dir / "compile_commands.json";
  if (fs::exists(commands, failed)) project.compile_commands = commands;
  return {};
}

Status choose_build(Project& project, const ProjectOptions& options) {
  std::error_code failed;
  project.build_command_dir =
      project.build_dir.empty() ? fs::current_path(failed) : project.build_dir;
  if (!options.build_command.empty()) {
    // As the user would type it, where he is.
    project.build_command = options.build_command;
    project.build_command_dir = fs::current_path(failed);
    return {};
  }
  if (project.build_dir.empty()) {
    return target_error(
        fmt::format("how {} is built is not known: there is no CMakeCache.txt above it",
                    project.target.binary.string()),
        "say it: --build 'make -C DIR check_program'");
  }
  project.own_build_command = true;
  project.build_command = cmake_build_command(project);
  return {};
}

}  // namespace

std::map<std::string, std::string> parse_cmake_cache(std::string_view text) {
  std::map<std::string, std::string> values;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#') || line.starts_with("//")) continue;
    const std::size_t colon = line.find(':'), equals = line.find('=', colon);
    if (colon == std::string::npos || equals == std::string::npos) continue;
    values[line.substr(0, colon)] = line.substr(equals + 1);
  }
  return values;
}

std::optional<CmakeTarget> find_cmake_target(const fs::path& build_dir, const std::string& index,
                                             const fs::path& binary, const TextOf& text_of) {
  const Reply reply(build_dir, text_of);
  for (const json& object : list_at(reply.read(index), "objects")) {
    if (text_at(object, "kind") != "codemodel") continue;
    const json model = reply.read(text_at(object, "jsonFile"));
    const json paths = value_at(model, "paths");
    for (const json& configuration : list_at(model, "configurations")) {
      for (const json& reference : list_at(configuration, "targets")) {
        const json target = reply.read(text_at(reference, "jsonFile"));
        if (text_at(target, "type") != "EXECUTABLE" || !makes(target, build_dir, binary)) continue;
        CmakeTarget found{text_at(target, "name"), {}, 0};
        find_place(target, text_at(paths, "source"), found);
        return found;
      }
    }
  }
  return std::nullopt;
}

std::string cmake_build_command(const Project& project) {
  std::vector<std::string> words = {project.cmake_program, "--build", project.build_dir.string()};
  if (!project.cmake_target.empty()) {
    words.insert(words.end(), {"--target", project.cmake_target});
  }
  words.insert(words.end(), {"--parallel", std::to_string(build_jobs())});
  return shell_quoted(words);
}

Result<Project> find_project(const Target& target, const ProjectOptions& options) {
  if (const Refusal& refusal = runtime_of(target).traits().no_patches) {
    return usage_error(std::string(refusal.why), std::string(refusal.instead));
  }
  Project project;
  project.target = target;
  std::error_code failed;
  const fs::path binary = fs::canonical(target.binary, failed);
  if (failed) return target_error(target.binary.string() + " is not there", "build it first");
  const std::vector<CompiledSource> sources = sources_of(binary);
  project.build_dir = find_build_dir(binary, sources);
  fs::path home;
  if (!project.build_dir.empty()) {
    if (Status read = read_cmake(project, home); !read) return read.error();
  }
  if (Status chosen = choose_build(project, options); !chosen) return chosen.error();
  auto root = find_source_root(options, home, sources);
  if (!root) return root.error();
  project.source_root = std::move(*root);
  project.source_dirs = dirs_outside(project.source_root, project.build_dir, sources);
  if (!home.empty() && !is_below(home, project.source_root)) project.source_dirs.push_back(home);
  project.is_git = !above_with(project.source_root, ".git").empty();
  return project;
}

}  // namespace gordian
