// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Two reports held against each other, for people and for machines: which dependences are new,
// gone, or still there. Numbers (D3) mean nothing across databases, and paths nothing across
// machines. So
//  * binaries are the same by file name; among several of one name those whose paths end alike;
//    what is then left over by the names of their tests, if most of them are the same,
//  * dependences are the same by binary, test and role, and by the carriers, if both reports have
//    them proved.
// What was not searched again is not called gone.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/source_files.h"
#include "report/terminal_style.h"

namespace gordian {

/// A dependence as a report in JSON has it.
struct ComparedDependence {
  std::string id, test, role;
  std::vector<std::string> by;        ///< tests before it in its witness
  std::vector<std::string> carriers;  ///< proved ones, sorted; empty: none is
  std::string file;                   ///< of the test; may be empty
  int line = 0;
};

struct ComparedSuite {
  std::string binary;  ///< path
  std::vector<ComparedDependence> dependences;
  std::vector<std::string> tests;  ///< all of them, sorted; empty: the report does not say
  bool finished = true;            ///< false: the budget or the user ended the search
  double covered = 1;              ///< share of the ordered pairs of tests that were run
};

struct ComparedReport {
  std::string name;  ///< of the file it comes from
  std::vector<ComparedSuite> suites;
};

/// Of the document of `report --json` or `detect --json`; a usage error for any other.
Result<ComparedReport> compared_report(const nlohmann::json& document, const std::string& name);

/// One dependence of the comparison. `before` and `now` point into the reports.
struct ComparedChange {
  std::string binary;                          ///< file name
  const ComparedDependence* before = nullptr;  ///< nullptr: new
  const ComparedDependence* now = nullptr;     ///< nullptr: gone
  std::string remark;  ///< gone: "the test is no longer there"; empty: nothing to add
};

struct Comparison {
  std::string before, now;  ///< names of the files
  std::vector<ComparedChange> fresh, gone, remaining;
  std::vector<ComparedChange> not_searched;  ///< of binaries that the new report does not have
  std::vector<std::string> new_binaries;     ///< file names; not in the old report
  std::vector<std::string> unfinished;       ///< file names: the new search was not finished
};

/// The reports must outlive the result.
Comparison compare_reports(const ComparedReport& before, const ComparedReport& now);

/// "1 new dependence, none gone, 3 remaining."
std::string comparison_sentence(const Comparison& comparison);

std::string comparison_text(const Comparison& comparison, const Style& style);
std::string comparison_to_markdown(const Comparison& comparison);

/// One error for each new dependence, as commands of a GitHub workflow.
std::string comparison_to_github(const Comparison& comparison, const SourceRoot& root);

/// {"kind": "comparison", "version": 1, ...}: public, by the rules of report/json.h.
nlohmann::json comparison_to_json(const Comparison& comparison);

}  // namespace gordian
