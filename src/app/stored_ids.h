// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Names of what the database holds, as typed: "R7" a run, "D3" a dependence.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
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

}  // namespace gordian
