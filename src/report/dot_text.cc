// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/dot_text.h"

#include "report/text.h"

namespace gordian {

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : sanitize_line(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace gordian
