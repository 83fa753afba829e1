// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/technique.h"

#include <cctype>
#include <string>

namespace gordian {

std::string_view name_of(Technique technique) {
  switch (technique) {
    case Technique::random:
      return "T1";
    case Technique::total_statements:
      return "T3";
    case Technique::additional_statements:
      return "T4";
    case Technique::total_functions:
      return "T5";
    case Technique::additional_functions:
      break;
  }
  return "T7";
}

std::string_view describe(Technique technique) {
  switch (technique) {
    case Technique::random:
      return "random";
    case Technique::total_statements:
      return "total statement coverage";
    case Technique::additional_statements:
      return "additional statement coverage";
    case Technique::total_functions:
      return "total function coverage";
    case Technique::additional_functions:
      break;
  }
  return "additional function coverage";
}

std::optional<Technique> parse_technique(std::string_view word) {
  std::string upper(word);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (Technique technique : kTechniques) {
    if (upper == name_of(technique)) return technique;
  }
  return std::nullopt;
}

bool needs_coverage(Technique technique) {
  return technique != Technique::random;
}

const CoverTable* table_of(Technique technique, const Coverage& coverage) {
  switch (technique) {
    case Technique::random:
      return nullptr;
    case Technique::total_statements:
    case Technique::additional_statements:
      return &coverage.statements;
    case Technique::total_functions:
    case Technique::additional_functions:
      break;
  }
  return &coverage.functions;
}

}  // namespace gordian
