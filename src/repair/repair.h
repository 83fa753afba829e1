// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From explained dependences to patches that were seen to work: brittle tests first, each up the
// ladder of strategies, every patch built and run in a copy of the project. Accepted patches stay
// in the copy while the next dependence is worked on, so that together they are one diff.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "repair/baseline_runs.h"
#include "repair/source_facts.h"
#include "repair/strategies.h"
#include "repair/workspace.h"

namespace gordian {

struct RepairOptions : CheckOptions {
  StrategyOptions strategies;
  bool accept_partly = false;    ///< keep a patch that is only partly verified, if none is better
  ChangedFiles base;             ///< patches that were accepted before: all others come on top
  bool found_with_base = false;  ///< dependences were found and explained in the program with them
  std::function<bool()> should_stop = [] { return false; };
};

class RepairListener {
 public:
  virtual ~RepairListener() = default;
  virtual void step(const Dependence& dependence, std::string_view what) = 0;
  virtual void attempted(const Dependence& dependence, const RepairAttempt& attempt) = 0;
  /// What became of it; once for each dependence.
  virtual void repaired(const Dependence& dependence, const Repair& repair) = 0;
  /// What a build prints, as it comes.
  virtual void build_line(std::string_view line) { (void)line; }
  /// What is done for all dependences: "building the project as it is".
  virtual void phase(std::string_view what) { (void)what; }
  /// Which check of a patch begins: "witness", "random orders".
  virtual void checking(std::string_view check) { (void)check; }
};

/// Without what is known of the project: where it is, and how it is built.
struct RepairResult : FixFacts {
  bool interrupted = false;
};

/// Gives facts of source files, as they are in the copy after the given changes.
using FactsOf = std::function<Result<SourceFacts>(const std::vector<std::string>& files)>;

/// Where patches come from: the ladder of strategies.h, or what a test puts in its place.
struct RepairLadder {
  std::function<Proposals(const RepairTask&)> propose;
  std::function<Proposals(const std::vector<RepairTask>&)> propose_for_all;
};

/// `suite`: the one that the dependences' ids belong to. The copy is built as it is (with the base)
/// first; that it cannot be, or lacks a test of these, is an error. should_stop ends it with what
/// is known.
Result<RepairResult> repair(const Suite& suite, const std::vector<Dependence>& dependences,
                            Workspace& workspace, const FactsOf& facts_of,
                            const RepairOptions& options, RepairListener& listener,
                            const RepairLadder& ladder = {propose, propose_for_all});

}  // namespace gordian
