// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/stored_ids.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/shell.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

/// The number behind an optional letter, in either case.
template <class Number>
std::optional<Number> number_of(std::string_view digits, char letter) {
  const char small = static_cast<char>(letter + ('a' - 'A'));
  if (digits.starts_with(letter) || digits.starts_with(small)) digits.remove_prefix(1);
  Number value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::string search_again(const StoredDependence& stored) {
  return fmt::format("gordian detect {}{}", shell_word(stored.target.binary.string()),
                     runtime_of(stored.target).traits().level_option);
}

}  // namespace

Result<RunId> parse_run_id(const std::string& word) {
  auto value = number_of<std::int64_t>(word, 'R');
  if (!value) return usage_error("'" + word + "' is not a run", "runs are called R1, R2, ...");
  return RunId{*value};
}

bool names_dependence(const std::string& word) {
  return word.size() > 1 && (word[0] == 'D' || word[0] == 'd');
}

Result<int> parse_dependence_id(const std::string& word) {
  auto value = number_of<int>(word, 'D');
  if (!value) {
    return usage_error("'" + word + "' is not a dependence", "they are called D1, D2, ...");
  }
  return *value;
}

std::optional<Error> missing_database(const std::string& what, const std::filesystem::path& db) {
  if (std::filesystem::exists(db)) return std::nullopt;
  return usage_error(fmt::format("no {}: there is no database at {}", what, db.string()),
                     "run this where the run was made, or name the file with --db");
}

Result<BinaryIdentity> identity_of(const Target& target) {
  return runtime_of(target).identify(target);
}

std::optional<Error> rebuilt_since(const StoredDependence& stored, const BinaryIdentity& now) {
  const bool same_id = !now.build_id.empty() && now.build_id == stored.build_id;
  if (same_id || now.sha256 == stored.sha256) return std::nullopt;
  return target_error(fmt::format("{} was rebuilt since D{} was found in it",
                                  stored.target.binary.string(), stored.id),
                      fmt::format("{} searches this build; what it finds again keeps its number",
                                  search_again(stored)));
}

std::optional<Error> binary_gone(const StoredDependence& stored) {
  std::error_code none;
  if (std::filesystem::exists(stored.target.binary, none)) return std::nullopt;
  return target_error(
      fmt::format("{}, in which D{} was found, is gone", stored.target.binary.string(), stored.id),
      fmt::format("build it again, then: {}", search_again(stored)));
}

}  // namespace gordian
