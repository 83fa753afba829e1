// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "suite/config_file.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "base/edit_distance.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace gordian {
namespace {

namespace fs = std::filesystem;

Error at(const std::string& name, const toml::source_region& place, const std::string& what,
         std::string hint = {}) {
  return usage_error(fmt::format("{}:{}: {}", name, place.begin.line, what), std::move(hint));
}

Error unknown_key(const std::string& name, const toml::key& key,
                  const std::vector<std::string>& known) {
  auto close = closest_word(std::string(key.str()), known);
  return at(name, key.source(), fmt::format("there is no setting '{}' here", key.str()),
            close ? "did you mean '" + *close + "'?"
                  : fmt::format("known here: {}", fmt::join(known, ", ")));
}

Status read_names(const toml::node& node, const std::string& name, const std::string& key,
                  std::vector<std::string>& names) {
  const toml::array* list = node.as_array();
  if (list == nullptr) {
    return at(name, node.source(), fmt::format("'{}' must be a list of names", key),
              key + " = [\"name\"]");
  }
  for (const toml::node& element : *list) {
    auto text = element.value_exact<std::string>();
    if (!text) return at(name, element.source(), "a name must be a string");
    if (text->empty()) return at(name, element.source(), "a name must not be empty");
    names.push_back(*text);
  }
  return {};
}

Status read_ignore(const toml::table& table, const std::string& name, IgnoreList& list) {
  for (const auto& [key, node] : table) {
    const std::string word(key.str());
    auto* names = word == "variables"     ? &list.variables
                  : word == "files"       ? &list.files
                  : word == "environment" ? &list.environment
                                          : nullptr;
    if (names == nullptr) return unknown_key(name, key, {"variables", "files", "environment"});
    if (Status read = read_names(node, name, word, *names); !read) return read;
  }
  return {};
}

Result<toml::table> parse(std::string_view text, const std::string& name) {
  auto parsed = toml::parse(text, name);
  if (!parsed) {
    return at(name, parsed.error().source(), std::string(parsed.error().description()));
  }
  return std::move(parsed).table();
}

}  // namespace

std::string_view key_of(IgnoreKind kind) {
  switch (kind) {
    case IgnoreKind::file:
      return "files";
    case IgnoreKind::environment:
      return "environment";
    case IgnoreKind::variable:
      break;
  }
  return "variables";
}

std::optional<fs::path> find_config(const fs::path& from) {
  std::error_code error;
  for (fs::path dir = fs::absolute(from, error);; dir = dir.parent_path()) {
    if (fs::exists(dir / kConfigName, error)) return dir / kConfigName;
    if (fs::exists(dir / ".git", error) || dir == dir.parent_path()) return std::nullopt;
  }
}

fs::path new_config(const fs::path& from) {
  std::error_code error;
  for (fs::path dir = fs::absolute(from, error);; dir = dir.parent_path()) {
    if (fs::exists(dir / ".git", error)) return dir / kConfigName;
    if (dir == dir.parent_path()) return fs::absolute(from, error) / kConfigName;
  }
}

Result<IgnoreList> parse_config(std::string_view text, const std::string& name) {
  auto table = parse(text, name);
  if (!table) return table.error();
  IgnoreList list;
  list.file = name;
  for (const auto& [key, node] : *table) {
    if (key.str() != "ignore") return unknown_key(name, key, {"ignore"});
    const toml::table* section = node.as_table();
    if (section == nullptr) {
      return at(name, node.source(), "'ignore' must be a section", "write [ignore]");
    }
    if (Status read = read_ignore(*section, name, list); !read) return read.error();
  }
  return list;
}

Result<IgnoreList> load_config(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return usage_error(fmt::format("{} cannot be read", file.string()));
  return parse_config(text.str(), file.string());
}

}  // namespace gordian
