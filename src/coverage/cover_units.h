// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Gives lines and functions their numbers while maps of counters are read, and brings rows of such
// numbers into a Coverage. What several objects have in common (inline functions, templates) is one
// unit: lines are told apart by file and line, functions by file, line and name.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/coverage.h"

namespace gordian {

/// What a test has covered, in numbers of CoverUnits; in no order, perhaps several times.
struct CoverRow {
  std::vector<std::uint32_t> lines, functions;
};

class CoverUnits {
 public:
  std::uint32_t file(const std::string& path);
  std::uint32_t line(std::uint32_t file, int line);
  /// `name` is mangled or as people read it.
  std::uint32_t function(std::uint32_t file, int line, const std::string& name);

  bool empty() const { return lines_.empty(); }
  /// Sorted, with one row for each test.
  Coverage coverage(std::span<const CoverRow> tests) const;

 private:
  std::vector<std::string> files_;
  std::unordered_map<std::string, std::uint32_t> file_numbers_;
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> lines_;
  std::map<std::tuple<std::uint32_t, int, std::string>, std::uint32_t> functions_;
};

/// The headers of the system and of the compiler: no code of the user's.
bool is_system_file(const std::string& path);

}  // namespace gordian
