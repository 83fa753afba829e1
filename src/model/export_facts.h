// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What `gordian export` tells other runners.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "ctest/ctest.h"
#include "model/ids.h"
#include "model/run.h"
#include "model/test.h"

namespace gordian {

/// What another runner has to be told, so that tests which are processes of their own give their
/// expected results in whatever order and however many at a time.
struct RunnerRules {
  /// `second` does not start before `first` has ended.
  struct After {
    TestId first, second;
    DependenceId dependence;
  };
  /// These run before it, one after the other, also when it is run alone.
  struct Needs {
    TestId test;
    Order setters;
    DependenceId dependence;
  };
  /// Never two of them at a time.
  struct Lock {
    std::string state;  ///< what they share: "/tmp/x.lock"
    Order tests;
  };
  /// A wish that no rule of this kind fulfils.
  struct Unmet {
    TestId test;
    DependenceId dependence;
    std::string why;  ///< one sentence, without its full stop
  };

  std::vector<After> after;
  std::vector<Needs> needs;
  std::vector<Lock> locks;
  std::vector<Unmet> unmet;
};

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
