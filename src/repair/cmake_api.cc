// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/cmake_api.h"

#include <nlohmann/json.hpp>
#include <sstream>

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

std::string text_at(const json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string()
             ? object[key].get<std::string>()
             : std::string();
}

int number_at(const json& object, const char* key, int otherwise) {
  return object.is_object() && object.contains(key) && object[key].is_number_integer()
             ? object[key].get<int>()
             : otherwise;
}

json list_at(const json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_array() ? object[key]
                                                                              : json::array();
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
  const json graph =
      target.is_object() && target.contains("backtraceGraph") ? target["backtraceGraph"] : json();
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
    const json paths = model.is_object() && model.contains("paths") ? model["paths"] : json();
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

}  // namespace gordian
