// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One `gordian fix`: dependences come from the database, with their explanations or explained now;
// what comes of them is stored there. The fix of one binary stands when the next one of the same
// source begins.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/fixing.h"
#include "app/stored_groups.h"
#include "base/result.h"
#include "report/fix_report.h"
#include "store/explanation_store.h"
#include "store/fix_store.h"
#include "store/search_store.h"

namespace gordian {

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
  Result<std::vector<KnownDependence>> explain(const DependenceGroup& group, Suite& suite);

  FixOptions options_;
  std::string db_;
  bool again_;
  FrontEnd& front_end_;
  std::map<std::string, ChangedFiles> accepted_;  ///< by source root
  std::optional<DependenceStore> dependences_;
  std::optional<ExplanationStore> explanations_;
  std::optional<FixStore> fixes_;
  std::optional<SearchStore> searches_;
};

}  // namespace gordian
