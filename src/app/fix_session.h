// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One `gordian fix`: dependences come from the database, with their explanations or explained now;
// what comes of them is stored there. The fix of one binary stands when the next one of the same
// source begins.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/front_end.h"
#include "app/stored_dependences.h"
#include "base/result.h"
#include "model/dependence.h"
#include "model/repair.h"
#include "model/report_facts.h"
#include "repair/project.h"
#include "repair/repair.h"
#include "runtime/engine_options.h"
#include "store/dependence_store.h"
#include "store/explanation_store.h"
#include "store/fix_store.h"
#include "store/search_store.h"

namespace gordian {

/// Whether the patched program is searched for more, and those repaired too.
struct FixRepeat {
  bool on = false;
  std::chrono::milliseconds budget{60'000};  ///< of one search
  std::filesystem::path db;                  ///< whose numbers go on
};

struct FixOptions {
  RepairOptions repair;
  ProjectOptions project;
  EngineOptions engine;
  std::chrono::seconds build_limit{0};  ///< of one build; 0: none
  bool without_compiler = false;        ///< facts from debug information alone
  std::filesystem::path facts_cache;    ///< empty: none
  FixRepeat repeat;
};

struct FixOutcome {
  FixFacts facts;
  std::vector<NamedDependence> found;  ///< in the patched program: what the last repairs are of
  std::vector<Notice> notices;
  bool interrupted = false;
};

/// Repairs explained dependences of one binary: the copy of its project is opened, patches are
/// made, built and run in it, and what came of it is returned as plain facts. `suite`: that of the
/// dependences.
Result<FixOutcome> fix_explained(const Project& project, const Suite& suite,
                                 const std::vector<Dependence>& dependences,
                                 const FixOptions& options, FrontEnd& front_end);

/// What makes one fix the same question as another: only then the stored answer is one.
FixKey fix_key(const DependenceGroup& group, const FixOptions& options);

/// Changes when a source or build file of the project does: names, sizes and times of all of them.
/// Without what a build has made, and without hidden directories.
std::string source_stamp(const Project& project);

class FixSession {
 public:
  /// `again`: also what has an answer already. The front end must outlive the session.
  FixSession(FixOptions options, std::string db, bool again, FrontEnd& front_end)
      : options_(std::move(options)), db_(std::move(db)), again_(again), front_end_(front_end) {}

  /// Opens the database and reads what was asked for.
  Result<std::vector<DependenceGroup>> load(const std::vector<std::string>& ids);
  /// The stored answer if it still is one, else a new one.
  Result<FixReport> fix(DependenceGroup& group);

 private:
  Result<std::optional<StoredFix>> known(const FixKey& key, const std::string& stamp);
  Result<FixReport> known_or_made(const DependenceGroup& group, const Project& project);
  Result<FixOutcome> make(const DependenceGroup& group, const Project& project,
                          const FixOptions& options);
  Result<std::vector<Dependence>> explain(const DependenceGroup& group, Suite& suite);

  FixOptions options_;
  std::string db_;
  bool again_;
  FrontEnd& front_end_;
  std::map<std::string, ChangedFiles> accepted_;  ///< by source root
  std::optional<ExplanationStore> explanations_;
  std::optional<FixStore> fixes_;
  std::optional<SearchStore> searches_;
};

}  // namespace gordian
