// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Golden files: what a person would see, kept beside the tests. A difference is a failure; with
// GORDIAN_APPROVE=1 in the environment the files are rewritten instead, for review as a diff.
// scrub() puts stand-ins of the same width in place of what differs from run to run.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>

namespace gordian::testing_support {

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

inline std::string same_width(const std::string& match, char stand_in) {
  std::string out = match;
  for (char& c : out) {
    if (c >= '0' && c <= '9') c = stand_in;
  }
  return out;
}

/// Applies `change` to each match of `pattern`.
template <class Change>
std::string replace_each(const std::string& text, const std::string& pattern, Change change) {
  std::string out;
  std::regex regex(pattern);
  auto last = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    out.append(last, text.cbegin() + it->position());
    out += change(it->str());
    last = text.cbegin() + it->position() + it->length();
  }
  return out.append(last, text.cend());
}

/// Durations "1.234 s" become "9.999 s", run ids "R7" become "R9", directories "/a/b/" become
/// "/dir/".
inline std::string scrub(std::string text) {
  auto nines = [](const std::string& match) { return same_width(match, '9'); };
  text = replace_each(text, R"(\d[\d.]* (ns|us|ms|s)\b|\d+[hm] \d\d[ms])", nines);
  text = replace_each(text, R"(\bR\d+\b)", nines);
  return replace_each(text, R"((/[\w.+-]+)+/)", [](const std::string&) { return "/dir/"; });
}

inline std::string read_all(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline void expect_golden(const std::string& name, const std::string& text) {
  std::filesystem::path path = std::filesystem::path(__FILE__).parent_path() / "golden" / name;
  const char* approve = std::getenv("GORDIAN_APPROVE");
  if (approve != nullptr && std::string(approve) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing; GORDIAN_APPROVE=1 writes it";
  EXPECT_EQ(read_all(path), text) << "differs from " << path
                                  << "; if the new text is right, GORDIAN_APPROVE=1 keeps it";
}

}  // namespace gordian::testing_support
