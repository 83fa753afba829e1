// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/stored_ids.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

std::string search_again(const NamedDependence& stored) {
  return fmt::format("gordian detect {}{}", shell_word(stored.target.binary.string()),
                     runtime_of(stored.target).traits().level_option);
}

}  // namespace

Result<RunId> asked_run(const std::string& word) {
  if (const auto id = parse_run_id(word)) return *id;
  return usage_error("'" + word + "' is not a run", "runs are called R1, R2, ...");
}

bool names_dependence(const std::string& word) {
  return word.size() > 1 && (word[0] == 'D' || word[0] == 'd');
}

Result<DependenceId> asked_dependence(const std::string& word) {
  if (const auto id = parse_dependence_id(word)) return *id;
  return usage_error("'" + word + "' is not a dependence", "they are called D1, D2, ...");
}

std::optional<Error> missing_database(const std::string& what, const std::filesystem::path& db) {
  if (std::filesystem::exists(db)) return std::nullopt;
  return usage_error(fmt::format("no {}: there is no database at {}", what, db.string()),
                     "run this where the run was made, or name the file with --db");
}

Result<BinaryIdentity> identity_of(const Target& target) {
  return runtime_of(target).identify(target);
}

std::optional<Error> rebuilt_since(const NamedDependence& stored, const BinaryIdentity& now) {
  const bool same_id = !now.build_id.empty() && now.build_id == stored.build_id;
  if (same_id || now.sha256 == stored.sha256) return std::nullopt;
  return target_error(fmt::format("{} was rebuilt since {} was found in it",
                                  stored.target.binary.string(), to_string(stored.id)),
                      fmt::format("{} searches this build; what it finds again keeps its number",
                                  search_again(stored)));
}

std::optional<Error> binary_gone(const NamedDependence& stored) {
  std::error_code none;
  if (std::filesystem::exists(stored.target.binary, none)) return std::nullopt;
  return target_error(fmt::format("{}, in which {} was found, is gone",
                                  stored.target.binary.string(), to_string(stored.id)),
                      fmt::format("build it again, then: {}", search_again(stored)));
}

}  // namespace gordian
