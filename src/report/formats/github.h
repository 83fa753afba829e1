// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as commands of a GitHub workflow: each line of standard output becomes an
// annotation at a line of the pull request. GitHub shows ten errors and ten warnings of a step, so
// errors come first. The text of tests can neither end a command nor begin one.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/report_facts.h"
#include "report/formats/source_root.h"

namespace gordian {

/// "::error title=T,file=a.cc,line=3::text\n". Empty values are left out.
std::string github_command(std::string_view name,
                           const std::vector<std::pair<std::string_view, std::string>>& properties,
                           std::string_view message);

std::string report_to_github(const ReportFacts& facts, const SourceRoot& root);

}  // namespace gordian
