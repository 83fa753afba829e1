// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The header of guards that a patch adds to a user's tests (target/guards/gordian_guards.h, held in
// this program), cut down to those that the patch uses.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "repair/change.h"

namespace gordian {

/// The name of the file that a patch adds.
inline constexpr std::string_view kGuardsFile = "gordian_guards.h";

/// The whole file, with all guards.
std::string_view guards_header();

/// Only these guards and what they need. "ScopedRestore" is that for objects, arrays and atomics
/// (parts: ScopedRestoreObject, ScopedRestoreArray, ScopedRestoreAtomic). Always the same text for
/// the same names. REQUIRES: each is a guard's name or one of these parts.
std::string guards_header_for(const std::set<std::string>& guards);

/// The guards and parts of guards that a text holds: one made by guards_header_for(), or the whole
/// file.
std::set<std::string> guards_in(std::string_view header);

/// Adds to a change what makes `file` (absolute) hold these guards: as a new file, as an edit of
/// one that an earlier patch has brought, or nothing when they are in it. An error when another
/// file of that name is there.
Status add_guards(Change& change, const std::string& file, const std::set<std::string>& guards,
                  const SourceText& source);

}  // namespace gordian
