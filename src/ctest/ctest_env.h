// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a ctest test's ENVIRONMENT and ENVIRONMENT_MODIFICATION properties do to the environment it
// is started with.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/target.h"

namespace gordian {

/// The value of a variable in the environment that ctest would be started from.
using EnvLookup = std::function<std::optional<std::string>(const std::string&)>;

/// `assignments` are "NAME=VALUE", `modifications` are "NAME=OPERATION:VALUE" (set, unset, reset,
/// string_append, path_list_prepend, ...), done in their order as ctest does them. The result holds
/// each touched variable once, sorted by name. Words that are neither are added to `complaints`.
std::vector<EnvChange> ctest_environment(const std::vector<std::string>& assignments,
                                         const std::vector<std::string>& modifications,
                                         const EnvLookup& outer,
                                         std::vector<std::string>& complaints);

}  // namespace gordian
