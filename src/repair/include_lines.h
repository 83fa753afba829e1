// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The include lines at the top of a file, and where the first one would stand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gordian {

enum class IncludeKind : std::uint8_t {
  quoted,
  c_library,    ///< <x.h>
  cxx_library,  ///< <x>
  third_party,  ///< <x/y.h>
};

struct WantedInclude {
  std::string name;  ///< without quotes
  std::string text;  ///< with them
  IncludeKind kind = IncludeKind::quoted;
};

/// From `<x>`, `"x"`, or these with #include before. nullopt: neither.
std::optional<WantedInclude> parse_include(const std::string& text);

struct IncludeLine {
  std::string name, prefix;  ///< prefix: "#include ", as this line spells it, with its indentation
  IncludeKind kind = IncludeKind::quoted;
  std::size_t begin = 0, end = 0;  ///< of the directive
  int block = 0;                   ///< the same number for lines without a gap between them
};

struct IncludeRegion {
  std::vector<IncludeLine> includes;  ///< before the first line of code, outside of any #if but the
                                      ///< include guard's
  std::size_t begin = 0;  ///< the end of what comes first: comment, guard, #pragma once; 0: nothing
};

IncludeRegion include_region(const std::string& content);

}  // namespace gordian
