// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The five techniques of test prioritisation, by their names in the literature (Elbaum and others;
// DTDetector uses the same five). Pure.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "model/coverage.h"

namespace gordian {

enum class Technique : std::uint8_t {
  random,                 ///< T1
  total_statements,       ///< T3: most statements first
  additional_statements,  ///< T4: most statements not yet covered first
  total_functions,        ///< T5: most functions first
  additional_functions,   ///< T7: most functions not yet covered first
};

inline constexpr std::array kTechniques = {
    Technique::random, Technique::total_statements, Technique::additional_statements,
    Technique::total_functions, Technique::additional_functions};

/// "T1", "T3", "T4", "T5", "T7".
std::string_view name_of(Technique technique);
/// "additional statement coverage".
std::string_view describe(Technique technique);
std::optional<Technique> parse_technique(std::string_view word);

/// What it looks at; null for T1.
const CoverTable* table_of(Technique technique, const Coverage& coverage);
bool needs_coverage(Technique technique);

}  // namespace gordian
