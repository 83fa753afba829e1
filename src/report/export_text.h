// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Known dependences in the words of other runners. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/export_facts.h"
#include "report/terminal_style.h"

namespace gordian {

/// A script for ctest, to be included behind the tests (docs/shard.md says how). While the
/// environment variable GORDIAN_WITHOUT_EXPORT is set it does nothing.
std::string ctest_script(const CtestExport& facts);

/// A .bzl file.
std::string bazel_script(const std::vector<BazelTarget>& targets);

/// For people: what was written, and what no property can do. Ends with a newline.
std::string ctest_export_text(const CtestExport& facts, const std::string& file,
                              const Style& style);
std::string bazel_export_text(const std::vector<BazelTarget>& targets, const std::string& file,
                              const Style& style);

}  // namespace gordian
