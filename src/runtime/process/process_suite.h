// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A CMake build seen as one suite of processes: each ctest test is one test, and what one leaves
// for the next are files, directories, databases and whatever else outlives a process.
//
// A test that requires fixtures is one unit with their set-up and clean-up tests, as `ctest -R`
// would run it; those are not tests of the suite themselves. DEPENDS becomes Test::declared.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "ctest/ctest.h"
#include "model/run.h"
#include "model/target.h"
#include "model/test.h"

namespace gordian {

/// The targets of these words at that level. Each must be a build directory.
Result<TargetSelection> resolve_process_targets(const std::vector<std::string>& words,
                                                const std::vector<std::string>& args);

/// What is started: an entry of ctest's list, ready for exec.
struct ProcessStep {
  CtestEntry entry;
  std::vector<std::string> argv;         ///< empty: not built
  std::vector<std::string> environment;  ///< NAME=VALUE, all of it
};

/// Numbers of steps, in the order in which they run.
struct ProcessUnit {
  std::vector<std::size_t> set_up;
  std::size_t test = 0;
  std::vector<std::size_t> clean_up;
};

class ProcessSuite {
 public:
  /// Asks ctest. A build without any test is an error; tests that cannot be run are told of in
  /// notices().
  static Result<ProcessSuite> open(const Target& target, bool also_disabled = false);
  /// The same from ctest's list, without looking at the disk.
  static Result<ProcessSuite> make(const std::filesystem::path& build_dir,
                                   std::vector<CtestEntry> entries, bool also_disabled);

  const Suite& suite() const { return suite_; }
  const std::filesystem::path& build_dir() const { return build_dir_; }
  const ProcessUnit& unit(TestId test) const { return units_.at(test.value()); }
  const ProcessStep& step(std::size_t number) const { return steps_.at(number); }
  const std::vector<ProcessStep>& steps() const { return steps_; }
  const std::vector<Notice>& notices() const { return notices_; }

  /// Directories that its tests may change: build, source, where they are started, HOME.
  std::vector<std::filesystem::path> directories() const;
  /// Of ctest's list and of every file that a command names.
  BinaryIdentity identity() const;
  /// The same for each test by itself.
  std::vector<std::string> code_hashes() const;

 private:
  class Builder;
  std::string digest_of(std::size_t step) const;

  std::filesystem::path build_dir_;
  std::vector<ProcessStep> steps_;
  std::vector<ProcessUnit> units_;
  std::vector<Notice> notices_;
  Suite suite_;
};

}  // namespace gordian
