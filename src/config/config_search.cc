// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A configuration file decides what is run, so that who can put one where it is found can run
// commands as whoever calls us: in /tmp, or in a directory above somebody's project. What counts is
// what git asks of a repository: nobody else's hand may have been in it.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "config/config_file.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

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
