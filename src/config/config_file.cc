// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "config/config_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>

#include "base/files.h"
#include "base/text.h"
#include "config/settings.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// Reads one file; stops at the first thing that is wrong.
class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {
    config_.file = config_.ignore.file = name;
  }

  Result<ProjectConfig> read(std::string_view text);

 private:
  using Take = std::function<Status(const std::string& key, const toml::node& node)>;
  struct Known {
    std::string key;
    Take take;
  };

  ConfigPlace place(const toml::source_region& region) const {
    return {name_, region.begin.line, region.begin.column};
  }
  Error at(const toml::source_region& region, const std::string& what,
           std::string hint = {}) const {
    return usage_error(fmt::format("{}: {}", place(region).text(), what), std::move(hint));
  }
  Error unknown_key(const toml::key& key, const std::vector<std::string>& known) const;
  Status read_keys(const toml::table& table, const std::vector<Known>& known) const;
  Result<const toml::table*> section(const toml::node& node, const std::string& title) const;
  Result<std::string> text_of(const toml::node& node, const std::string& what) const;
  Status read_names(const toml::node& node, const std::string& key,
                    std::vector<std::string>& names) const;

  Status read_ignore(const toml::node& node);
  Status read_profiles(const toml::node& node);
  Status read_profile(const std::string& profile, const std::string& command,
                      const toml::table& table);
  Status read_value(const Setting& setting, const toml::node& node, ConfigValue& value) const;
  Status read_overrides(const toml::node& node);
  Result<TestOverride> read_override(const toml::table& table) const;
  Result<std::string> time_of(const std::string& key, const toml::node& node) const;
  std::string absolute(const std::string& path) const;

  const std::string& name_;
  ProjectConfig config_;
};

Error Reader::unknown_key(const toml::key& key, const std::vector<std::string>& known) const {
  auto close = closest_word(std::string(key.str()), known);
  return at(key.source(), fmt::format("there is no setting '{}' here", key.str()),
            close               ? "did you mean '" + *close + "'?"
            : known.size() > 10 ? "'gordian help config' lists the settings"
                                : fmt::format("known here: {}", fmt::join(known, ", ")));
}

Status Reader::read_keys(const toml::table& table, const std::vector<Known>& known) const {
  for (const auto& [key, node] : table) {
    const std::string word(key.str());
    auto found =
        std::find_if(known.begin(), known.end(), [&word](const Known& k) { return k.key == word; });
    if (found == known.end()) {
      std::vector<std::string> keys;
      for (const Known& k : known) keys.push_back(k.key);
      return unknown_key(key, keys);
    }
    if (Status taken = found->take(word, node); !taken) return taken;
  }
  return {};
}

Result<const toml::table*> Reader::section(const toml::node& node, const std::string& title) const {
  if (const toml::table* table = node.as_table()) return table;
  return at(node.source(), fmt::format("'{}' must be a section", title),
            fmt::format("write [{}]", title));
}

Result<std::string> Reader::text_of(const toml::node& node, const std::string& what) const {
  auto text = node.value_exact<std::string>();
  if (!text) return at(node.source(), what + " must be a string");
  if (text->empty()) return at(node.source(), what + " must not be empty");
  return *text;
}

Status Reader::read_names(const toml::node& node, const std::string& key,
                          std::vector<std::string>& names) const {
  const toml::array* list = node.as_array();
  if (list == nullptr) {
    return at(node.source(), fmt::format("'{}' must be a list of names", key),
              key + " = [\"name\"]");
  }
  for (const toml::node& element : *list) {
    auto text = text_of(element, "a name");
    if (!text) return text.error();
    names.push_back(std::move(*text));
  }
  return {};
}

Status Reader::read_ignore(const toml::node& node) {
  auto table = section(node, "ignore");
  if (!table) return table.error();
  auto into = [this](std::vector<std::string>& names) {
    return [this, &names](const std::string& key, const toml::node& list) {
      return read_names(list, key, names);
    };
  };
  return read_keys(**table, {{"variables", into(config_.ignore.variables)},
                             {"files", into(config_.ignore.files)},
                             {"environment", into(config_.ignore.environment)}});
}

Status Reader::read_profiles(const toml::node& node) {
  auto profiles = section(node, "profile.default");
  if (!profiles) return profiles.error();
  for (const auto& [key, profile] : **profiles) {
    const std::string name(key.str());
    auto table = section(profile, "profile." + name);
    if (!table) return table.error();
    config_.profiles.push_back(name);
    if (Status read = read_profile(name, "", **table); !read) return read;
  }
  return {};
}

Status Reader::read_profile(const std::string& profile, const std::string& command,
                            const toml::table& table) {
  for (const auto& [key, node] : table) {
    const std::string word(key.str());
    if (command.empty() && node.is_table()) {
      // Whether there is such a command is not known here: the command line checks it.
      if (Status read = read_profile(profile, word, *node.as_table()); !read) return read;
      continue;
    }
    const Setting* setting = find_setting(word);
    if (setting == nullptr) return unknown_key(key, setting_keys());
    ConfigValue value{profile, command, word, {}, place(key.source())};
    if (Status read = read_value(*setting, node, value); !read) return read;
    config_.values.push_back(std::move(value));
  }
  return {};
}

Result<std::string> Reader::time_of(const std::string& key, const toml::node& node) const {
  std::string text = node.value_exact<std::string>().value_or("");
  if (auto seconds = node.value_exact<std::int64_t>()) text = std::to_string(*seconds);
  if (auto seconds = node.value_exact<double>()) text = fmt::format("{}", *seconds);
  if (text.empty()) {
    return at(node.source(), fmt::format("'{}' must be {}", key, expectation(SettingKind::time)));
  }
  auto time = parse_duration(text);
  if (!time) return at(node.source(), time.error().message, time.error().hint);
  return text;
}

std::string Reader::absolute(const std::string& path) const {
  if (path == "-") return path;
  return (fs::path(name_).parent_path() / path).lexically_normal().string();
}

Status Reader::read_value(const Setting& setting, const toml::node& node,
                          ConfigValue& value) const {
  if (setting.kind == SettingKind::time) {
    auto time = time_of(value.key, node);
    if (!time) return time.error();
    value.words = {*time};
    return {};
  }
  auto text = node.value_exact<std::string>();
  const bool paths = setting.kind == SettingKind::paths;
  if ((paths || setting.kind == SettingKind::words) && node.is_array()) {
    if (Status read = read_names(node, value.key, value.words); !read) return read;
    for (std::string& word : value.words) word = paths ? absolute(word) : word;
  } else if (setting.kind == SettingKind::number && node.is_integer()) {
    value.words = {std::to_string(*node.value_exact<std::int64_t>())};
  } else if (setting.kind == SettingKind::flag && node.is_boolean()) {
    value.words = {*node.value_exact<bool>() ? "true" : "false"};
  } else if (setting.kind == SettingKind::word && text) {
    value.words = {*text};
  } else if (setting.kind == SettingKind::path && text && !text->empty()) {
    value.words = {absolute(*text)};
  } else if (setting.kind == SettingKind::command && text && !text->empty()) {
    value.words = {"cd " + shell_word(absolute("")) + " && " + *text};
  } else {
    return at(node.source(), fmt::format("'{}' must be {}", value.key, expectation(setting.kind)),
              fmt::format("as in: {} = {}", value.key, setting.example));
  }
  return {};
}

Result<TestOverride> Reader::read_override(const toml::table& table) const {
  TestOverride override;
  override.place = place(table.source()).text();
  Status read =
      read_keys(table, {{"filter",
                         [&](const std::string&, const toml::node& node) -> Status {
                           auto text = text_of(node, "'filter'");
                           if (!text) return text.error();
                           override.filter = TestFilter(*text);
                           return {};
                         }},
                        {"timeout",
                         [&](const std::string& key, const toml::node& node) -> Status {
                           auto text = time_of(key, node);
                           if (!text) return text.error();
                           override.timeout = *parse_duration(*text);
                           return {};
                         }},
                        {"serial",
                         [&](const std::string& key, const toml::node& node) -> Status {
                           override.serial = node.value_exact<bool>();
                           if (override.serial) return {};
                           return at(node.source(), fmt::format("'{}' must be true or false", key));
                         }},
                        {"ignore-state", [&](const std::string& key, const toml::node& node) {
                           return read_names(node, key, override.ignore_state);
                         }}});
  if (!read) return read.error();
  if (override.filter.text().empty()) {
    return at(table.source(), "an override needs a 'filter': the tests that it is for",
              "filter = \"Suite.*\"");
  }
  return override;
}

Status Reader::read_overrides(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (list == nullptr) {
    return at(node.source(), "'override' must be a list of sections", "write [[override]]");
  }
  for (const toml::node& element : *list) {
    auto table = section(element, "[override]");
    if (!table) return table.error();
    auto override = read_override(**table);
    if (!override) return override.error();
    if (!override->ignore_state.empty()) {
      config_.ignore.of_tests.push_back({override->filter, override->ignore_state});
    }
    config_.overrides.push_back(std::move(*override));
  }
  return {};
}

Result<ProjectConfig> Reader::read(std::string_view text) {
  auto parsed = toml::parse(text, name_);
  if (!parsed) return at(parsed.error().source(), std::string(parsed.error().description()));
  using Node = const toml::node&;
  Status read = read_keys(
      parsed.table(),
      {{"profile", [this](const std::string&, Node node) { return read_profiles(node); }},
       {"override", [this](const std::string&, Node node) { return read_overrides(node); }},
       {"ignore", [this](const std::string&, Node node) { return read_ignore(node); }}});
  if (!read) return read.error();
  return std::move(config_);
}

/// The user who became root by sudo, and has said so by that.
std::optional<uid_t> user_behind_sudo() {
  const char* text = ::geteuid() == 0 ? std::getenv("SUDO_UID") : nullptr;
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  uid_t user = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), user);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return user;
}

bool may_be_obeyed(uid_t owner) {
  return owner == ::geteuid() || owner == 0 || user_behind_sudo() == owner;
}

/// Why somebody else decides what is there; empty: nobody else does, or nothing is there.
std::string objection_to(const fs::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  if (!may_be_obeyed(found.st_uid)) {
    return fmt::format("{} belongs to another user (uid {})", path.string(), found.st_uid);
  }
  if ((found.st_mode & S_IWOTH) != 0) {
    return fmt::format("{} can be written by every user", path.string());
  }
  return {};
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

std::string ConfigPlace::text() const {
  return fmt::format("{}:{}:{}", file, line, column);
}

std::string_view key_of(IgnoreKind kind) {
  return kind == IgnoreKind::file          ? "files"
         : kind == IgnoreKind::environment ? "environment"
                                           : "variables";
}

Result<ProjectConfig> parse_config(std::string_view text, const std::string& name) {
  return Reader(name).read(text);
}

Result<ProjectConfig> load_config(const fs::path& file) {
  auto text = read_regular(file);
  if (!text) return text.error();
  return parse_config(*text, file.string());
}

// A configuration file decides what is run, so that who can put one where it is found can run
// commands as whoever calls us: in /tmp, or in a directory above somebody's project. What counts is
// what git asks of a repository: nobody else's hand may have been in it.

FoundConfig find_config(const fs::path& from) {
  std::error_code error;
  std::string objection;  // to a directory on the way: nothing in it or above it is obeyed
  for (fs::path dir = fs::absolute(from, error);; dir = dir.parent_path()) {
    const fs::path file = dir / kConfigName;
    if (objection.empty()) objection = objection_to(dir);
    if (is_there(file)) {
      if (objection.empty()) objection = objection_to(file);
      if (objection.empty()) return {file, {}};
      return {std::nullopt, fmt::format("{} is not obeyed: {}", file.string(), objection)};
    }
    if (is_there(dir / ".git") || dir == dir.parent_path()) return {};
  }
}

fs::path new_config(const fs::path& from) {
  std::error_code error;
  const fs::path here = fs::absolute(from, error);
  for (fs::path dir = here; objection_to(dir).empty(); dir = dir.parent_path()) {
    if (is_there(dir / ".git")) return dir / kConfigName;
    if (dir == dir.parent_path()) break;
  }
  return here / kConfigName;
}

}  // namespace gordian
