// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The ladder: from a dependence, its explanation and facts of the source to changes worth trying,
// best first. A proposal may be optimistic, since the compiler and the tests judge it afterwards;
// it must be the same one each time it is asked for. Pure: reads source text, writes nothing.
#pragma once

#include <string>
#include <vector>

#include "model/dependence.h"
#include "repair/change.h"
#include "repair/source_facts.h"

namespace gordian {

struct StrategyOptions {
  std::vector<Strategy> only;  ///< empty: the whole ladder
  bool allow_product_code = false;
  std::string source_root;   ///< files outside of it are not touched
  std::string build_file;    ///< CMakeLists.txt with the target's add_executable, if known
  int build_line = 0;        ///< the line behind which target_sources() may follow
  std::string build_target;  ///< its name
};

/// What proposals are made from: the program and its sources as they are now.
struct RepairTask {
  Suite suite;
  Dependence dependence;  ///< with its explanation
  SourceFacts facts;
  SourceText source;
  StrategyOptions options;
};

struct Proposal {
  Strategy strategy = Strategy::restore;
  Change change;
  std::string summary, reason;  ///< as in Patch
  bool product_code = false;
  bool last_choice = false;  ///< behind whatever else there is
  std::string way;           ///< the same for proposals that differ in the tests they change alone
};

struct Proposals {
  std::vector<Proposal> ladder;
  std::vector<Inapplicable> inapplicable;  ///< one sentence for each rung that has nothing to offer
};

Proposals propose(const RepairTask& task);

/// One change for dependences that share a state: the listener file. Empty when the framework or
/// the state does not allow it; the reason then stands in `inapplicable`.
Proposals propose_for_all(const std::vector<RepairTask>& tasks);

}  // namespace gordian
