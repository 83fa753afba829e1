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

#include "app/stored_groups.h"
#include "base/result.h"
#include "cli/command.h"
#include "cli/fixing.h"
#include "report/fix_report.h"
#include "store/explanation_store.h"
#include "store/fix_store.h"
#include "store/search_store.h"

namespace gordian {

class FixSession {
 public:
  FixSession(FixOptions options, const CommonOptions& common, const TerminalFacts& terminal,
             bool again)
      : options_(std::move(options)), common_(common), terminal_(terminal), again_(again) {}

  /// Opens the database and reads what was asked for.
  Result<std::vector<DependenceGroup>> load(const std::vector<std::string>& ids);
  /// The stored answer if it still is one, else a new one.
  Result<FixReport> fix(DependenceGroup& group);

 private:
  Result<std::optional<StoredFix>> known(const FixKey& key, const std::string& stamp);
  Result<FixReport> known_or_made(const DependenceGroup& group, const Project& project);
  Result<FixOutcome> make(const DependenceGroup& group, const Project& project,
                          const FixOptions& options);
  Result<std::vector<ExplainedForRepair>> explain(const DependenceGroup& group, Suite& suite);

  FixOptions options_;
  const CommonOptions& common_;
  const TerminalFacts& terminal_;
  bool again_;
  std::map<std::string, ChangedFiles> accepted_;  ///< by source root
  std::optional<DependenceStore> dependences_;
  std::optional<ExplanationStore> explanations_;
  std::optional<FixStore> fixes_;
  std::optional<SearchStore> searches_;
};

}  // namespace gordian
