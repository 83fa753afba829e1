// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What another runner has to be told, so that tests which are processes of their own give their
// expected results in whatever order and however many at a time.
#pragma once

#include <string>
#include <vector>

#include "model/ids.h"
#include "model/test.h"

namespace gordian {

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

}  // namespace gordian
