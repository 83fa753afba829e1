// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One `gordian explain`: dependences come from the database, and their explanations, as far as they
// are there; the others are made now and stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/explaining.h"
#include "app/front_end.h"
#include "app/stored_groups.h"
#include "base/result.h"
#include "report/explain_facts.h"
#include "store/dependence_store.h"
#include "store/explanation_store.h"

namespace gordian {

struct ExplainRequest {
  ExplainOptions options;
  EngineOptions engine;
  bool usual_timeout = false;  ///< where tests of a target usually have another one, that holds
  bool again = false;          ///< explain also what is explained already
};

class ExplainSession {
 public:
  /// The front end must outlive the session.
  ExplainSession(ExplainRequest request, std::string db, FrontEnd& front_end)
      : request_(std::move(request)), db_(std::move(db)), front_end_(front_end) {}

  /// Opens the database and reads what was asked for: see asked_dependences().
  Result<std::vector<DependenceGroup>> load(const std::vector<std::string>& ids);
  /// One explanation for each dependence of the group. Another build than that of the search is an
  /// error.
  Result<ExplainFacts> explain(DependenceGroup& group);

 private:
  Result<std::optional<StoredExplanation>> known(const DependenceGroup& group,
                                                 const NamedDependence& dependence);
  Result<std::vector<Explanation>> make(const DependenceGroup& group,
                                        const std::vector<NamedDependence>& missing);

  ExplainRequest request_;
  std::string db_;
  FrontEnd& front_end_;
  std::optional<DependenceStore> dependences_;
  std::optional<ExplanationStore> explanations_;
};

}  // namespace gordian
