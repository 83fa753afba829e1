// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The tables, as a list of forward-only migrations. The version of a file is its user_version, and
// its application_id says that it is ours. schema.md explains the tables; change both together.
// A migration that was released is never edited: the next version is a new entry at the end.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "store/database.h"

namespace gordian {

/// "GORD" in the header of the file.
inline constexpr std::uint32_t kApplicationId = 0x474F5244;

struct Migration {
  int version;      ///< what user_version is afterwards; the script itself sets it
  const char* sql;  ///< leads here from version - 1
};

/// All of them, oldest first; versions count 1, 2, 3, ...
std::span<const Migration> migrations();

/// The version that this program writes.
int schema_version();

Result<int> read_version(Database& database);

/// Brings the file up to the last of `steps`, in one transaction: all of them or none. Safe when
/// several processes do it at once. Does not lock a file that is up to date.
Status migrate(Database& database, std::span<const Migration> steps);

}  // namespace gordian
