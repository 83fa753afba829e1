// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The smaller objects of a SARIF file: messages, places, rules, fixes; and a unified diff as
// replacements of whole lines, since SARIF has no diffs.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

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

/// `removed` lines from line `first` on become `inserted`. With removed == 0 the text goes before
/// line `first`.
struct DiffChange {
  int first = 1;
  int removed = 0;
  std::string inserted;      ///< lines with their newlines
  bool at_open_end = false;  ///< what is removed ends with the file, without a newline
};

struct FileChange {
  std::string path;  ///< of the new file, without "b/"
  bool is_new = false;
  std::vector<DiffChange> changes;  ///< in the order of lines; numbers are those of the old file
};

/// Empty for a text that is no diff, or one that deletes or renames files.
std::vector<FileChange> changes_of(std::string_view diff);

}  // namespace gordian::sarif
