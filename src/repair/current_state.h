// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Dependences and explanations were found in the program as it was. Once a patch has moved lines
// and maybe tests, they have to be read in the words of the program as it is now. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/dependence.h"
#include "model/explanation.h"
#include "repair/change.h"

namespace gordian {

/// The same dependence by the ids of another suite; nullopt: it lacks one of its tests. Single
/// polluters and cleaners that it lacks are left out.
std::optional<Dependence> in_suite(const Dependence& dependence, const Suite& from,
                                   const Suite& to);

/// Places in files that are changed now, moved with their lines.
Explanation with_moved_lines(Explanation explanation, const ChangedFiles& files);

/// Files below `root` that the explanation and the tests of the dependence speak of, sorted.
/// `exists`: whether there is such a file; relative names are looked for below `places`.
std::vector<std::string> files_concerned(const Suite& suite, const Dependence& dependence,
                                         const Explanation& explanation, const std::string& root,
                                         const std::vector<std::string>& places,
                                         const std::function<bool(const std::string&)>& exists);

/// `later` on top of `earlier`: what both together make of the files before.
ChangedFiles combined(ChangedFiles earlier, const ChangedFiles& later);

/// Disk, with these changes.
SourceText source_with(const ChangedFiles& files, const SourceText& below);

}  // namespace gordian
