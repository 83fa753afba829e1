// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A comparison of two reports for people and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/formats/compare.h"
#include "report/formats/source_root.h"
#include "report/terminal_style.h"

namespace gordian {

/// "1 new dependence, none gone, 3 remaining."
std::string comparison_sentence(const Comparison& comparison);

std::string comparison_text(const Comparison& comparison, const Style& style);
std::string comparison_to_markdown(const Comparison& comparison);

/// One error for each new dependence, as commands of a GitHub workflow.
std::string comparison_to_github(const Comparison& comparison, const SourceRoot& root);

/// {"kind": "comparison", "version": 1, ...}: public, by the rules of report/run_json.h.
nlohmann::json comparison_to_json(const Comparison& comparison);

}  // namespace gordian
