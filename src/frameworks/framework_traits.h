// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the model has to know of each test framework: its names, its command line, and by what its
// own code and variables are told from the program's. One file of this folder for each framework.
#pragma once

#include <span>
#include <string_view>

#include "model/test.h"

namespace gordian {

using Words = std::span<const std::string_view>;

struct FrameworkTraits {
  Framework framework = Framework::unknown;

  // Its command line. Whatever is empty does not exist.
  std::string_view disabled_flag;  ///< makes it run disabled tests too; empty: the agent needs none
  std::string_view filter_flag;    ///< "--gtest_filter=", to which the name of one test is added
  /// Arguments that only choose among tests or shape the output: without a value, or with one
  /// behind
  /// '='. Programs that differ in nothing else are one target.
  Words selecting_flags;
  /// Likewise, with the value in the next argument.
  Words selecting_options;
  /// Bytes in every program that uses it. Where they are, its selecting_options and a plain
  /// argument that is (part of) the name of a ctest test choose among tests too; elsewhere they are
  /// the program's own. Empty: it takes no such arguments.
  std::string_view mark{};

  // Whose code is it?
  Words libraries;   ///< modules begin with these: "libgtest"
  Words namespaces;  ///< its functions and variables: "testing::"
  Words folders;     ///< its sources are in these: "/include/gtest/"
  Words file_stems;  ///< or have names that begin with these: "gtest", "gmock"
  Words runners;     ///< functions that call tests: what is further out is the same for every test
  Words entry_points;  ///< its functions outside of its namespaces: "RUN_ALL_TESTS"
  /// The function is the body of a test, whatever namespace it is in; may be null.
  bool (*is_test_body)(std::string_view function) = nullptr;
  /// The variable was made by the macros that register a test; may be null.
  bool (*made_by_macro)(std::string_view variable) = nullptr;
};

const FrameworkTraits& gtest_traits();
const FrameworkTraits& catch2_traits();
const FrameworkTraits& doctest_traits();
const FrameworkTraits& cpputest_traits();
const FrameworkTraits& boost_traits();

/// Those that Gordian can drive.
std::span<const FrameworkTraits* const> all_frameworks();
/// REQUIRES: one of them.
const FrameworkTraits& traits_of(Framework framework);

bool starts_with_any(std::string_view text, Words prefixes);

}  // namespace gordian
