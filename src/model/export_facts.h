// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What `gordian export` tells other runners.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "ctest/ctest_list.h"
#include "model/run.h"
#include "model/runner_rules.h"
#include "model/target.h"
#include "model/test.h"

namespace gordian {

struct CtestExport {
  BinaryIdentity binary;  ///< or build
  Suite suite;
  std::vector<std::string> names;  ///< by test: as ctest calls it
  /// What ctest has said of tests, by name; rules are added to it. Empty: it was not asked.
  std::map<std::string, CtestEntry> before;
  RunnerRules rules;
  bool looked_at_files = false;     ///< what tests read and write is known
  std::vector<std::string> misses;  ///< what was not seen of it, in sentences
  std::vector<Notice> notices;
};

/// One test binary as a target of Bazel.
struct BazelTarget {
  std::string name;
  BinaryIdentity binary;
  bool searched = false;                 ///< for dependences; else nothing is known
  bool any_count = false;                ///< every number of shards is safe
  std::vector<std::size_t> safe_counts;  ///< else these of 1 to 50
  bool order_dependent = false;          ///< dependences are known
  bool shares_files = false;             ///< one of them is carried by a file or a server
  std::vector<Notice> notices;
};

}  // namespace gordian
