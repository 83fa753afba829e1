// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/stored_dependences.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/text.h"
#include "runtime/runtime.h"

namespace gordian {

Suite suite_of_names(const std::vector<NamedDependence>& stored) {
  std::vector<std::string> names;
  for (const NamedDependence& d : stored) {
    names.insert(names.end(), d.witness.begin(), d.witness.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Test> tests;
  for (const std::string& name : names) {
    Test test;
    test.name = name;
    tests.push_back(std::move(test));
  }
  const RuntimeId runtime =
      stored.empty() ? &kNativeRuntime : &runtime_of(stored.front().target).traits();
  return Suite(runtime, Framework::unknown, "", std::move(tests));
}

namespace {

std::string search_again(const NamedDependence& stored) {
  return fmt::format("gordian detect {}{}", shell_word(stored.target.binary.string()),
                     runtime_of(stored.target).traits().level_option);
}

/// True if both start the same program in the same way.
bool same_target(const Target& a, const Target& b) {
  return a.binary == b.binary && a.args == b.args && a.working_dir == b.working_dir &&
         a.env == b.env;
}

Result<std::vector<DependenceId>> asked_dependences(const std::vector<std::string>& words,
                                                    DependenceStore& store) {
  if (words.empty()) return store.of_last_search();
  std::vector<DependenceId> ids;
  for (const std::string& word : words) {
    auto id = asked_dependence(word);
    if (!id) return id.error();
    if (std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
  }
  return ids;
}

Result<std::vector<DependenceGroup>> load_groups(const std::vector<DependenceId>& ids,
                                                 DependenceStore& store) {
  std::vector<DependenceGroup> groups;
  for (DependenceId id : ids) {
    auto stored = store.load(id);
    if (!stored) return stored.error();
    auto at = std::find_if(groups.begin(), groups.end(), [&stored](const DependenceGroup& group) {
      return same_target(group.stored.front().target, stored->target);
    });
    if (at == groups.end()) at = groups.insert(at, DependenceGroup{});
    at->stored.push_back(std::move(*stored));
  }
  return groups;
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

Result<std::vector<DependenceGroup>> load_asked(const std::vector<std::string>& words,
                                                const std::string& db) {
  if (auto missing = missing_database(words.empty() ? "search" : words.front(), db)) {
    return *missing;
  }
  auto dependences = DependenceStore::open(db);
  if (!dependences) return dependences.error();
  auto ids = asked_dependences(words, *dependences);
  if (!ids) return ids.error();
  return load_groups(*ids, *dependences);
}

Status check_build(DependenceGroup& group) {
  const NamedDependence& first = group.stored.front();
  if (auto gone = binary_gone(first)) return *gone;
  auto identity = identity_of(first.target);
  if (!identity) return identity.error();
  group.binary = std::move(*identity);
  for (const NamedDependence& stored : group.stored) {
    if (auto rebuilt = rebuilt_since(stored, group.binary)) return *rebuilt;
  }
  return {};
}

}  // namespace gordian
