// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What all formats for CI systems say of a dependence, in words and places, so that each format is
// only a way to write it down. Pure functions of the facts. Text that is returned is one line and
// free of control characters; long names lose their middle.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/report_facts.h"
#include "report/source_files.h"

namespace gordian {

/// A dependent test with what belongs to it. Points into the facts.
struct Finding {
  const ReportedSuite* suite = nullptr;
  const Dependence* dependence = nullptr;
  std::string label;        ///< "cart_test" where the report has several binaries, else empty
  std::string fingerprint;  ///< 64 hex digits; the same as long as binary name, test and role are

  const Test& test() const { return suite->detect.suite.test(dependence->test); }
  /// The patch that stands; nullptr: there is none.
  const RepairAttempt* accepted() const {
    return dependence->repair ? accepted_attempt(*dependence->repair) : nullptr;
  }
};

std::vector<Finding> findings_of(const ReportFacts& facts);

/// A test that changes its result from run to run: told apart, never as dependent.
struct UnsteadyTest {
  const ReportedSuite* suite = nullptr;
  const NondeterministicTest* found = nullptr;
  std::string label, fingerprint;  ///< as of a Finding

  const Test& test() const { return suite->detect.suite.test(found->test); }
};

std::vector<UnsteadyTest> unsteady_tests_of(const ReportFacts& facts);

enum class Severity { note, warning, error };
/// error: an order that the framework itself can run shows it; warning: only one that interleaves
/// suites does.
Severity severity_of(const Finding& finding);

/// File name of the test binary, or of the build directory.
std::string binary_name(const std::filesystem::path& path);
std::string binary_name(const ReportedSuite& suite);

/// How a name stands in a sentence; Markdown puts it into a code span.
using NameStyle = std::function<std::string(const std::string& name)>;
std::string plain_name(const std::string& name);

/// Tests by name, cut to what a headline bears.
std::string short_name(const Test& test);
std::string short_names(const std::vector<TestId>& tests, const Suite& suite,
                        const NameStyle& style = plain_name);

/// "Cart.T3 fails after Cart.T1"; with several binaries "cart_test: Cart.T3 ...".
std::string claim_text(const Finding& finding, const NameStyle& style = plain_name);

/// "Cart.T1 leaves g_total (int, /src/cart.cc:12) changed: 0 -> 50", a line for each carrier, and
/// whether it was proved. Empty without an explanation.
std::vector<std::string> carrier_lines(const Finding& finding);

/// Everything else worth a line: results, polluters, cleaners, witness, patch, commands.
std::vector<std::string> evidence_lines(const Finding& finding);

/// Both, a line each with its end.
std::string carrier_and_evidence(const Finding& finding);

/// Full names, one a line.
std::string listed_names(const std::vector<TestId>& tests, const Suite& suite);

/// "g_total" or "g_total, LANG": carriers that were proved; empty without any.
std::string proved_carriers(const Finding& finding);

/// A line of a source file.
struct Place {
  std::string file;  ///< as in debug information
  int line = 0;      ///< 0: not known
  bool known() const { return !file.empty(); }
};

Place place_of(const Site& site);
Place place_of(const Test& test);

enum class SiteKind { write, read };
/// Of the first carrier that has one; nullptr: none is known.
const Site* site_of(const Finding& finding, SiteKind kind);

/// Places at which to show the finding, best first, all of them known: the line that leaves the
/// state behind, or for a brittle test the one that needs it, then the others, then the test.
std::vector<Place> places_of(const Finding& finding);

/// A place in the checkout.
struct ShownPlace {
  std::string path;  ///< relative to the root
  int line = 1;
};
/// The first of them that is below the root; nullopt: none is.
std::optional<ShownPlace> first_shown(const std::vector<Place>& places, const SourceRoot& root,
                                      const ReportedSuite& suite);

/// Digest of words that identify something, 64 hex digits.
std::string digest_of(const std::vector<std::string>& words);

}  // namespace gordian
