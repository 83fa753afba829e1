// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as SARIF 2.1.0, which code scanning shows at the line.
//  * One result for each dependence: at the line that leaves the state behind, or for a brittle
//    test at the one that needs it; both and the tests as related locations, as a code flow from
//    write to read, and with their stacks.
//  * One rule for each role; a non-deterministic test is a note of a rule of its own.
//  * Names of files are relative to %SRCROOT%; a file outside of it has an absolute one.
//  * partialFingerprints stay the same as long as the binary's name, the test and the role do.
//  * A patch that passed every check is a fix.
#pragma once

#include <nlohmann/json.hpp>

#include "model/report_facts.h"
#include "report/formats/source_root.h"

namespace gordian {

nlohmann::json report_to_sarif(const ReportFacts& facts, const SourceRoot& root);

}  // namespace gordian
