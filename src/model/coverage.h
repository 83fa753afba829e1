// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What each test of a suite covers: statements (source lines) and functions, as sets of small
// numbers, so that 5,000 tests x 50,000 lines stay small and quick; and how fast an order covers.
// Plain values; stored, ranked and reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gordian {

/// A set of numbers below a fixed size, one bit each.
class CoverSet {
 public:
  CoverSet() = default;
  explicit CoverSet(std::size_t size) : size_(size), words_((size + 63) / 64) {}

  std::size_t size() const { return size_; }
  void add(std::size_t unit) { words_[unit / 64] |= std::uint64_t{1} << (unit % 64); }
  bool has(std::size_t unit) const { return (words_[unit / 64] >> (unit % 64) & 1) != 0; }
  std::size_t count() const;
  /// How many of this set are not in `other`. Both have the same size.
  std::size_t count_outside(const CoverSet& other) const;
  void merge(const CoverSet& other);
  std::span<const std::uint64_t> words() const { return words_; }
  std::span<std::uint64_t> words() { return words_; }

  bool operator==(const CoverSet&) const = default;

 private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

/// A line with code, or a function.
struct CoverUnit {
  std::string file;      ///< absolute
  int line = 0;          ///< of a function: its first one
  std::string function;  ///< demangled; empty for a line
};

/// One kind of unit over all tests.
struct CoverTable {
  std::vector<CoverUnit> units;  ///< sorted by file, line, function
  std::vector<CoverSet> tests;   ///< by TestId, all of the suite; empty for one that did not run
};

/// How the tests ran.
enum class CoverageWay : std::uint8_t {
  alone,    ///< each from the state before the first test: what it covers by itself, whatever ran
            ///< before; suite set-up and first uses are in the row of every test that needs them
  in_order  ///< one after another in one process, in the default order: what only the first one
            ///< does is in the first one's row
};
std::string_view to_string(CoverageWay way);

struct Coverage {
  CoverTable statements, functions;
  CoverageWay way = CoverageWay::alone;
  std::string source;  ///< "gcc counters", "clang counters", "lcov", ...: where it is from
  std::vector<std::string> notices;  ///< what is not in it and why, a sentence each
};

/// How fast an order covers. The curve says how many units are covered after each test. The rate is
/// one number for it: the area below the curve, as a share of the area if the first test covered
/// everything that the tests of the order cover together. With statements this is what the
/// literature calls APSC, with functions APFC: APFD with "covered first" in place of "fault found
/// first". No fault is looked for here, so it must not be read as a number of faults found.
struct GrowthCurve {
  std::vector<std::size_t> covered;  ///< after the first test, the second, ...
  std::size_t units = 0;             ///< of the program, covered or not
  double rate = 0;                   ///< 0 to 1; 0 if nothing is covered

  std::size_t total() const { return covered.empty() ? 0 : covered.back(); }
  /// How many tests it takes to reach this share of what is covered in the end.
  std::size_t tests_to_reach(double share) const;
};

}  // namespace gordian
