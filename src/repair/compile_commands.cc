// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "repair/facts.h"
#include "repair/lexer.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string normal_name(const fs::path& path) {
  return path.lexically_normal().string();
}

CompileCommand command_of(const json& entry) {
  const fs::path directory = entry.at("directory").get<std::string>();
  std::string words = directory.string();
  if (entry.contains("command")) words += "\n" + entry.at("command").get<std::string>();
  if (entry.contains("arguments")) {
    for (const json& word : entry.at("arguments")) words += "\n" + word.get<std::string>();
  }
  return {normal_name(directory / entry.at("file").get<std::string>()), words};
}

/// How many directories two paths begin with in common: the nearer of two files of one name is
/// meant.
std::ptrdiff_t common_directories(const fs::path& a, const fs::path& b) {
  return std::distance(a.begin(), std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first);
}

/// `#include "dir/name.h"` names the end of the header's path.
bool includes(std::string_view content, const std::string& header) {
  for (const Token& token : lex(content)) {
    if (token.kind != TokenKind::directive || token.dead) continue;
    const std::string_view line = token.in(content);
    if (directive_word(line) != "include") continue;
    std::string_view name = directive_rest(line);
    if (name.size() < 3) continue;
    name = name.substr(1, name.size() - 2);
    while (name.starts_with("../") || name.starts_with("./"))
      name.remove_prefix(name.find('/') + 1);
    if (header == name || header.ends_with("/" + std::string(name))) return true;
  }
  return false;
}

}  // namespace

Result<std::vector<CompileCommand>> parse_compile_commands(std::string_view content) {
  try {
    const json document = json::parse(content);
    std::vector<CompileCommand> result;
    std::set<std::string> seen;
    for (const json& entry : document) {
      CompileCommand command = command_of(entry);
      if (seen.insert(command.file).second) result.push_back(std::move(command));
    }
    return result;
  } catch (const json::exception& problem) {
    return usage_error(std::string("compile_commands.json cannot be read: ") + problem.what(),
                       "let the build system write it anew");
  }
}

const CompileCommand* unit_named_like(const std::string& header,
                                      const std::vector<CompileCommand>& commands) {
  const fs::path wanted(header);
  const CompileCommand* best = nullptr;
  std::ptrdiff_t nearest = -1;
  for (const CompileCommand& command : commands) {
    const fs::path file(command.file);
    if (file.stem() != wanted.stem()) continue;
    const std::ptrdiff_t near = common_directories(wanted, file);
    if (near <= nearest) continue;
    best = &command;
    nearest = near;
  }
  return best;
}

const CompileCommand* unit_showing(const std::string& file,
                                   const std::vector<CompileCommand>& commands,
                                   const ReadSource& read) {
  const std::string wanted = normal_name(file);
  const auto itself = std::find_if(commands.begin(), commands.end(),
                                   [&](const auto& command) { return command.file == wanted; });
  if (itself != commands.end()) return &*itself;
  const auto shows = [&](const CompileCommand& command) {
    const auto content = read(command.file);
    return content && includes(*content, wanted);
  };
  // The file of the same name need not be the header's own.
  const CompileCommand* like = unit_named_like(wanted, commands);
  if (like != nullptr && shows(*like)) return like;
  const auto other = std::find_if(commands.begin(), commands.end(), shows);
  return other == commands.end() ? like : &*other;
}

}  // namespace gordian
