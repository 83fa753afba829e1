// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a file name to a database that can be trusted. A file that is not ours, newer than we know
// or damaged is refused and not a byte of it is changed; there is no option to overwrite one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/result.h"
#include "store/database.h"

namespace gordian {

/// Files above this size are not read in full on every start; what is damaged in them is reported
/// when it is met (schema.md has the measurement).
inline constexpr std::uint64_t kFullCheckBytes = std::uint64_t{2} << 20;

/// Opens `file`, creating it and its directory when missing (an empty file counts as missing), and
/// migrates an older version. A new directory named ".gordian" gets a .gitignore that hides it.
/// Results tell of the user's code: a new file is for its owner alone, and so is a ".gordian"
/// directory with what is in it, also one that was there. What is elsewhere has the mode that the
/// user gave it. A link that somebody else has put there is refused.
Result<Database> open_database(const std::filesystem::path& file);

/// One that speaks of its own tables; all of them use one file.
template <class Store>
class StoreOf {
 public:
  /// As open_database().
  static Result<Store> open(const std::filesystem::path& file) {
    auto database = open_database(file);
    if (!database) return database.error();
    return Store(*std::move(database));
  }
  static Status open(const std::filesystem::path& file, std::optional<Store>& store) {
    auto opened = open(file);
    if (!opened) return opened.error();
    store.emplace(*std::move(opened));
    return {};
  }

 protected:
  explicit StoreOf(Database database) : database_(std::move(database)) {}

  Database database_;
};

/// All that is in `from`, as a new file. REQUIRES: `to` is not there.
Status copy_database(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace gordian
