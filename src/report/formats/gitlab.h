// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as a code quality report of GitLab, which merge requests show at the line.
// GitLab asks for a path in the repository; a finding without any is put at the first line of the
// test binary's path or, if that is outside too, of its name.
#pragma once

#include <nlohmann/json.hpp>

#include "model/report_facts.h"
#include "report/formats/source_root.h"

namespace gordian {

nlohmann::json report_to_gitlab(const ReportFacts& facts, const SourceRoot& root);

}  // namespace gordian
