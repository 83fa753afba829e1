// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the database holds, as commands ask for it: runs ("R7") and dependences ("D3") as typed,
// dependences of one target together, with the build of it that is there now.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "model/run.h"
#include "store/dependence_store.h"

namespace gordian {

/// "R7", "r7" or "7".
Result<RunId> asked_run(const std::string& word);

/// True for what can only be meant as a dependence: "D3", "dx".
bool names_dependence(const std::string& word);
/// "D3", "d3" or "3".
Result<DependenceId> asked_dependence(const std::string& word);

/// Asking for what was stored must not create an empty database. `what`: "D3".
std::optional<Error> missing_database(const std::string& what, const std::filesystem::path& db);

/// Which build of its binary is there now.
Result<BinaryIdentity> identity_of(const Target& target);

/// The error if the binary of a dependence is another build than the one in which it was found, or
/// gone. `now`: what is there.
std::optional<Error> rebuilt_since(const NamedDependence& stored, const BinaryIdentity& now);
std::optional<Error> binary_gone(const NamedDependence& stored);

/// Dependences of one target.
struct DependenceGroup {
  std::vector<NamedDependence> stored;
  BinaryIdentity binary;  ///< check_build() fills it in
};

/// "D3", "4", each once, in that order; without words those that the last search found. A missing
/// database is an error.
Result<std::vector<DependenceGroup>> load_asked(const std::vector<std::string>& words,
                                                const std::string& db);

/// The build that is there now must be the one in which each was found.
Status check_build(DependenceGroup& group);

/// Enough of a suite to show these dependences, without starting the program for it.
Suite suite_of_names(const std::vector<NamedDependence>& stored);

}  // namespace gordian
