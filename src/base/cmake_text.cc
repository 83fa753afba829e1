// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/cmake_text.h"

namespace gordian {

std::string bracket_argument(const std::string& text) {
  std::string equals = "=";
  while ((text + "]").find("]" + equals + "]") != std::string::npos) equals += "=";
  return "[" + equals + "[" + text + "]" + equals + "]";
}

std::string list_element(const std::string& text) {
  std::string element;
  for (char c : text) element += c == ';' ? std::string("\\;") : std::string(1, c);
  return element;
}

}  // namespace gordian
