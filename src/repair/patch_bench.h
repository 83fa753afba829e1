// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where one proposal after another is tried for a dependence: on top of the patches that were
// accepted before, with facts of the source as it is then.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "repair/repair.h"
#include "repair/verify.h"

namespace gordian {

/// The same victim behind another one of its polluters. What the explanation says of the first
/// one's writes is not true of that one.
Dependence behind_another(Dependence given, TestId polluter);

class PatchBench {
 public:
  PatchBench(Workspace& workspace, const BeforePatches& before, const FactsOf& facts_of,
             const RepairOptions& options, const RepairLadder& ladder, RepairListener& listener);

  /// A proposal that was built and run, or could not be.
  struct Tried {
    RepairAttempt attempt;
    ChangedFiles files;  ///< of the copy, with what was accepted before
    Names still_by;
    Symptoms symptoms;
  };

  /// The dependence in the program with these files, which are what is built.
  Result<RepairTask> look_at(const Suite& suite, const Dependence& dependence,
                             const ChangedFiles& files);
  Proposals propose(const RepairTask& task) const { return ladder_.propose(task); }
  Proposals propose_for_all(const std::vector<RepairTask>& tasks) const {
    return ladder_.propose_for_all ? ladder_.propose_for_all(tasks) : Proposals{};
  }

  /// nullopt: it changes nothing, or is what was tried for this dependence before.
  Result<std::optional<Tried>> attempt(const RepairTask& task, const NamedDependence& dependence,
                                       const Proposal& proposal);
  /// The same strategy for each other test that still disturbs this one, one after another.
  Result<Tried> extend(const Suite& suite, const Dependence& dependence,
                       const NamedDependence& named, Tried tried);

  /// The patches that stand. Builds them, unless they are what was built last.
  Status build_accepted();
  const ChangedFiles& accepted() const { return accepted_; }
  /// What repairs `dependence`, which no later patch may bring back; unless it only declares it.
  void accept(const Tried& tried, const NamedDependence& dependence);
  /// The same of one that the accepted patches have taken away by the way.
  void note_gone(const NamedDependence& dependence) { repaired_.push_back(dependence); }
  bool has_accepted() const { return !accepted_.empty(); }
  Result<StillShows> still_shows(const NamedDependence& dependence);
  Result<Verification> verify_all();
  const std::string& root() const { return root_; }

 private:
  Patch patch_of(const Proposal& proposal, const ChangedFiles& own, const RepairTask& task) const;
  Result<Verification> verify(const NamedDependence& dependence, const Proposal& proposal,
                              const ChangedFiles& files);
  Result<Tried> try_files(const RepairTask& task, const NamedDependence& dependence,
                          const Proposal& proposal, const ChangedFiles& files);

  Workspace& workspace_;
  const FactsOf& facts_of_;
  const RepairOptions& options_;
  const RepairLadder& ladder_;
  RepairListener& listener_;
  Verifier verifier_;
  StrategyOptions strategies_;
  std::string root_;
  SourceText disk_;
  ChangedFiles accepted_;
  std::vector<NamedDependence> repaired_;  ///< by what is accepted
  std::optional<ChangedFiles> built_;
  Symptoms symptoms_;  ///< in random orders, with what is accepted
  std::set<std::pair<DependenceId, std::string>> seen_;  ///< with its diff
};

}  // namespace gordian
