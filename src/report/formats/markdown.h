// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as Markdown, as GitHub and GitLab show it: a table of the binaries, a table
// of the dependent tests, then each of them with its evidence and patch, folded.
#pragma once

#include <cstddef>
#include <string>

#include "model/report_facts.h"
#include "report/formats/source_root.h"

namespace gordian {

/// What a step of a GitHub workflow may add to its summary is 1 MiB.
inline constexpr std::size_t kLongestSummary = 1'000'000;

/// At most `longest` bytes unless that is 0: details are left out from the end, and it is said.
std::string report_to_markdown(const ReportFacts& facts, const SourceRoot& root,
                               std::size_t longest = 0);

}  // namespace gordian
