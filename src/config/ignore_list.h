// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// States that the user calls free of dependence: a cache, a log file, a counter. They are taken out
// of a data flow before anything is made of it, and counted. What tests do when they are run is no
// concern of this list: a dependence that was observed is reported, whatever carries it.
#pragma once

#include <string>
#include <vector>

#include "model/data_flow.h"
#include "model/order_spec.h"

namespace gordian {

/// Names as of a carrier. `*` stands for any characters and `?` for one; a name also means its
/// members and elements ("settings" means "settings.level" and "settings[3]"), and a directory the
/// files below it.
struct IgnoreList {
  std::vector<std::string> variables;  ///< and what they reach
  std::vector<std::string> files;
  std::vector<std::string> environment;
  /// Of some tests only: what they read or leave changed of these, whatever kind of state it is.
  struct OfTests {
    TestFilter tests;
    std::vector<std::string> names;
  };
  std::vector<OfTests> of_tests;
  std::string file;  ///< where it was read from; empty: nowhere

  bool empty() const {
    return variables.empty() && files.empty() && environment.empty() && of_tests.empty();
  }
};

/// The rule that a state falls under, whatever test it is; nullptr: none.
const std::string* ignoring_rule(const IgnoreList& list, const StateKey& state);
/// Likewise, of those for this test only.
const std::string* ignoring_rule(const IgnoreList& list, const Test& test, const StateKey& state);

/// The flow without the states that are ignored; what carried nothing else is no dependence: for
/// that it is enough that its reader or its writer may ignore a state. Keeps the numbers of the
/// other states.
FlowFacts without_ignored(DataFlow flow, const IgnoreList& list, const Suite& suite);

}  // namespace gordian
