// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The smaller objects of a SARIF file: messages, places, rules, fixes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "report/formats/finding.h"

namespace gordian::sarif {

/// Text in which nothing is a link or a place-holder.
std::string literal(std::string_view text);
nlohmann::json message(std::string_view text);  ///< {"text": literal(text)}

/// A name as part of a URI: "a%20b/c.cc".
std::string uri_path(std::string_view path);

/// Names the file of a place, below the root or absolute; null when it cannot.
nlohmann::json artifact(const Place& place, const ReportedSuite& suite, const SourceRoot& root);

/// A location with a message; null for a place that is not known.
nlohmann::json location(const Place& place, std::string_view text, const ReportedSuite& suite,
                        const SourceRoot& root);

/// "gordian/victim", ...: what the rules are called, and where each stands in rules().
std::string rule_id(Role role);
std::size_t rule_index(Role role);
inline constexpr std::string_view kUnsteadyRule = "gordian/nondeterministic";
inline constexpr std::size_t kUnsteadyIndex = 3;
nlohmann::json rules();

/// The verified patch of a finding as a list of one fix; empty without any.
nlohmann::json fixes(const Finding& finding, const SourceRoot& root);

/// One call stack; null without frames.
nlohmann::json stack(const Site& site, std::string_view text, const ReportedSuite& suite,
                     const SourceRoot& root);

}  // namespace gordian::sarif
