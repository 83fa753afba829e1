// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The counters of a running program: where they are, what they mean, reading them and setting them
// to zero. Everything happens from outside, in processes that stand still; those forked from the
// one that was looked at have their counters at the same addresses.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/coverage.h"
#include "symbols/process_memory.h"

namespace gordian {

/// What a test has covered, in numbers of CoverUnits; in no order, perhaps several times.
struct CoverRow {
  std::vector<std::uint32_t> lines, functions;
};

/// Gives lines and functions their numbers while maps of counters are read, and brings rows of such
/// numbers into a Coverage. What several objects have in common (inline functions, templates) is
/// one unit: lines are told apart by file and line, functions by file, line and name.
class CoverUnits {
 public:
  std::uint32_t file(const std::string& path);
  std::uint32_t line(std::uint32_t file, int line);
  /// `name` is mangled or as people read it.
  std::uint32_t function(std::uint32_t file, int line, const std::string& name);

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

/// What the counters of one function mean.
class CountedFunction {
 public:
  virtual ~CountedFunction() = default;
  /// Adds what has run. REQUIRES: as many values as it has counters.
  virtual void cover(std::span<const std::uint64_t> values, CoverRow& row) const = 0;
};

/// Some counters in memory, 8 bytes each.
struct CounterArray {
  TargetAddr at{0};
  std::uint32_t count = 0;
  std::shared_ptr<const CountedFunction> meaning;
  std::uint32_t object = 0, ident = 0;  ///< by which files of counters name it
};

/// Where all counters of a module lie that Clang's runtime writes as one.
struct CounterBlock {
  TargetAddr at{0};
  std::uint64_t counters = 0, records = 0;
};

/// All counters of a program, and what they mean.
struct CounterMaps {
  CoverUnits units;
  std::vector<CounterArray> arrays;
  std::vector<CounterBlock> blocks;
  std::vector<std::string> data_files;  ///< by CounterArray::object
  std::vector<std::string> notices;
};

class CountedProgram {
 public:
  /// What `pid` has, a process at rest. An error when there are no counters, or their maps are
  /// missing, damaged or of another build; objects that are not understood among others that are
  /// become notices.
  static Result<CountedProgram> look_at(pid_t pid);

  const CoverUnits& units() const { return maps_.units; }
  const std::string& source() const { return source_; }
  const std::vector<std::string>& notices() const { return maps_.notices; }

  /// Adds what `pid` has covered. False: it could not be read.
  bool read(pid_t pid, CoverRow& row);
  /// Sets to zero what is not. False: it could not be written.
  bool clear(pid_t pid);

  /// Adds what processes have written to `directory` as they ended (GCOV_PREFIX, or *.profraw), and
  /// removes it. What is damaged is left out. False: there was nothing.
  bool take_files(const std::string& directory, CoverRow& row) const;

  /// Whether `pid`, another start of the same program, has its counters at the same addresses.
  bool fits(pid_t pid) const;

 private:
  struct Span {
    std::uint64_t begin = 0, end = 0;
    std::vector<std::uint64_t> values;
  };

  CountedProgram() = default;
  void arrange();
  void take_gcov_files(const std::string& directory, CoverRow& row) const;
  void take_profile(std::string_view bytes, CoverRow& row) const;
  bool fetch(pid_t pid);
  std::span<const std::uint64_t> values_of(std::size_t array) const;

  CounterMaps maps_;  ///< with arrays by address
  std::string source_;
  std::vector<Span> spans_;  ///< what is read at once
  std::vector<std::uint32_t> span_of_;
  std::vector<std::pair<std::string, std::uint64_t>> layout_;  ///< files and where they are mapped
};

}  // namespace gordian
