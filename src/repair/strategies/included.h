// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a file includes, by its text alone: the names, and whether a header of the project is among
// them or among what they include in turn. Conditions are not evaluated.
#pragma once

#include <string>
#include <vector>

#include "repair/strategies/scene.h"

namespace gordian::strategies {

/// Names in quotes of the file's includes.
std::vector<std::string> quoted_includes(const std::string& content);

/// Names are looked for beside the file that includes them, and from each directory above the
/// header: one of these is the include directory that leads to it.
bool includes_already(const Scene& scene, const std::string& file, const std::string& header);

}  // namespace gordian::strategies
