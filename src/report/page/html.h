// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The report as one HTML file that needs nothing else: the page of web/, with the document of
// report_json.h inside.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gordian {

/// The page as it was built from web/; empty where Gordian was built without Node.js.
std::string_view page_template();

/// Puts the document into a page. Nothing in it can end the script element or become markup. An
/// error when the page has no place for it.
Result<std::string> page_with(std::string_view page, const nlohmann::json& report);

}  // namespace gordian
