// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Stored dependences as commands want them: those of one target together, with the build of it
// that is there now.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/dependence_store.h"

namespace gordian {

/// Dependences of one target.
struct DependenceGroup {
  std::vector<NamedDependence> stored;
  BinaryIdentity binary;  ///< check_build() fills it in
};

/// "D3", "4", each once, in that order; without words those that the last search found.
Result<std::vector<DependenceId>> asked_dependences(const std::vector<std::string>& words,
                                                    DependenceStore& store);

Result<std::vector<DependenceGroup>> load_groups(const std::vector<DependenceId>& ids,
                                                 DependenceStore& store);

/// The build that is there now must be the one in which each was found.
Status check_build(DependenceGroup& group);

}  // namespace gordian
