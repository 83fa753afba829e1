// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/build_output.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "base/text.h"

namespace gordian {
namespace {

/// Without colours, which -fdiagnostics-color=always prints also to us.
std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      if (text[i] != '\r') plain += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '[') ++i;
    while (i + 1 < text.size() && !std::isalpha(static_cast<unsigned char>(text[i + 1]))) ++i;
    ++i;
  }
  return plain;
}

std::vector<std::string> lines_of(std::string_view output) {
  const std::string plain = without_colours(output);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    lines.push_back(plain.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool has_any(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [line](std::string_view word) {
    return line.find(word) != std::string_view::npos;
  });
}

bool is_of_compiler(std::string_view line) {
  if (line.starts_with("collect2:") || line.starts_with("ninja:")) return false;
  return has_any(line, {": error: ", ": fatal error: ", "undefined reference to ",
                        "multiple definition of ", "ld: cannot find ", "CMake Error"});
}

bool is_of_driver(std::string_view line) {
  return has_any(line, {"collect2: error", "ninja: error:", "*** ", "error: linker command failed",
                        "error:", "Error: "});
}

/// CMake says the place on one line and the matter on the next ones.
std::string with_matter(const std::vector<std::string>& lines, std::size_t at) {
  std::string line = trimmed(lines[at]);
  if (!line.starts_with("CMake ") || !line.ends_with(':')) return line;
  for (std::size_t i = at + 1; i < lines.size() && i <= at + 3; ++i) {
    if (const std::string matter = trimmed(lines[i]); !matter.empty()) return line + " " + matter;
  }
  return line;
}

template <class Is>
std::string first_that(const std::vector<std::string>& lines, Is is) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is(lines[i])) return with_matter(lines, i);
  }
  return {};
}

}  // namespace

std::string first_error(std::string_view output) {
  const std::vector<std::string> lines = lines_of(output);
  if (std::string found = first_that(lines, is_of_compiler); !found.empty()) return found;
  if (std::string found = first_that(lines, is_of_driver); !found.empty()) return found;
  for (std::size_t i = lines.size(); i-- > 0;) {
    if (const std::string line = trimmed(lines[i]); !line.empty()) return line;
  }
  return {};
}

std::vector<std::string> warnings_in(std::string_view output) {
  const std::vector<std::string> lines = lines_of(output);
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!has_any(lines[i], {": warning: ", "CMake Warning"})) continue;
    std::string warning = with_matter(lines, i);
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
      warnings.push_back(std::move(warning));
    }
  }
  return warnings;
}

std::string warning_key(std::string_view warning) {
  std::string key;
  for (std::size_t i = 0; i < warning.size(); ++i) {
    key += warning[i];
    if (warning[i] != ':') continue;
    std::size_t end = i + 1;
    while (end < warning.size() && std::isdigit(static_cast<unsigned char>(warning[end])) != 0) {
      ++end;
    }
    const bool is_number =
        end > i + 1 && (end == warning.size() || warning[end] == ':' || warning[end] == ' ');
    if (is_number) i = end - 1;
  }
  return key;
}

}  // namespace gordian
