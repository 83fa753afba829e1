// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From what the database knows, tests by name, to tests of a suite.
#pragma once

#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "store/dependence_store.h"

namespace gordian {

/// Enough of a suite to show these dependences, without starting the program for it.
Suite suite_of_names(const std::vector<NamedDependence>& stored);

/// True if both start the same program in the same way.
bool same_target(const Target& a, const Target& b);

}  // namespace gordian
