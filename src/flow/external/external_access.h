// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What tests did to state outside of their process's memory, as ExternalRecorder found it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "flow/flow_builder.h"
#include "model/explanation.h"
#include "model/test.h"

namespace gordian {

/// Who made a system call, and from where.
struct AccessOrigin {
  pid_t process = -1;    ///< the test's own, or a child of it
  long call = -1;        ///< number of the system call; -1: a descriptor open since before the test
  std::uint64_t pc = 0;  ///< of the instruction behind it, in that process
};

struct ExternalAccess {
  StateKey key;                          ///< of a file, cwd, umask or socket
  bool read = false;                     ///< before it wrote it itself
  bool write = false;                    ///< and left it changed
  AccessOrigin read_from, written_from;  ///< of the first read, of the last write
};

/// One test in one run.
struct ExternalTest {
  TestId test;
  std::size_t position = 0;              ///< in its order
  pid_t runner = -1;                     ///< the process that ran it
  std::vector<ExternalAccess> accesses;  ///< by kind and text, each once
  std::string unsure;                    ///< as of TestFlow
};

/// State that no test writes carries nothing: drops all accesses of it. Rights of a file count for
/// whoever opens it.
void keep_shared(std::vector<ExternalTest>& tests);

/// Tells the builder what the test at hand did. REQUIRES: begin() was called for it.
void add_to(FlowBuilder& builder, const ExternalTest& test);

/// The record of a test, by its position in the order that one process ran; nullptr: it did nothing
/// that could be seen.
const ExternalTest* find_test(std::span<const ExternalTest> tests, std::size_t position);

}  // namespace gordian
