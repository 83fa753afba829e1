// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/duration.h"

#include <cmath>
#include <cstdlib>

namespace gordian {

Result<std::chrono::milliseconds> parse_duration(const std::string& text) {
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  std::string unit = end;
  double scale = unit.empty() || unit == "s"    ? 1000.0
                 : unit == "ms"                 ? 1.0
                 : unit == "m" || unit == "min" ? 60'000.0
                 : unit == "h"                  ? 3'600'000.0
                                                : -1.0;
  if (end == text.c_str() || scale < 0 || !(value >= 0) || value * scale > 1e12) {
    return usage_error("'" + text + "' is not a time", "write 500ms, 2s, 1.5m, or 0 for none");
  }
  return std::chrono::milliseconds(std::llround(value * scale));
}

}  // namespace gordian
