// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What makes one fix the same question as another: only then the stored answer is one.
#pragma once

#include <string>

#include "app/fixing.h"
#include "app/stored_groups.h"
#include "repair/project.h"
#include "store/fix_store.h"

namespace gordian {

FixKey fix_key(const DependenceGroup& group, const FixOptions& options);

/// Changes when a source or build file of the project does: names, sizes and times of all of them.
/// Without what a build has made, and without hidden directories.
std::string source_stamp(const Project& project);

}  // namespace gordian
