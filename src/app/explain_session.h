// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One `gordian explain`: dependences come from the database, and their explanations, as far as they
// are there; the others are made now and stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/front_end.h"
#include "app/stored_dependences.h"
#include "base/result.h"
#include "explain/explain.h"
#include "model/dependence.h"
#include "model/report_facts.h"
#include "runtime/engine_options.h"
#include "store/dependence_store.h"
#include "store/explanation_store.h"

namespace gordian {

/// Explaining dependences of one binary as `explain`, `detect --explain` and `fix` do: each
/// explanation is stored as soon as it is there.
struct ExplainJob {
  Target target;
  BinaryIdentity binary;
  Suite suite;
  std::vector<Dependence> dependences;
  EngineOptions engine;
  ExplainOptions options;
};

/// Everything but how it shall be explained: the suite is listed, dependences are found in it.
Result<ExplainJob> explain_job(const DependenceGroup& group,
                               const std::vector<NamedDependence>& dependences,
                               const EngineOptions& engine);

/// One explanation for each dependence. `store` may be null. An explanation without a proof that
/// the budget or the user cut short is not stored: the next attempt may know more. An interrupt
/// ends it, and job.engine.should_stop.
Result<std::vector<Explanation>> explain_each(const ExplainJob& job, ExplanationStore* store,
                                              FrontEnd& front_end);

/// The dependences of the job, each with its explanation: the stored one where there is one.
/// Without one are those that an interrupt left out.
Result<std::vector<Dependence>> explain_what_is_new(ExplainJob job, ExplanationStore* store,
                                                    FrontEnd& front_end);

/// What is stored and would be the answer again: of the same build and witness, with places if they
/// are asked for, and with as many proofs.
Result<std::optional<StoredExplanation>> known_explanation(ExplanationStore& store, DependenceId id,
                                                           const std::string& sha256,
                                                           const std::vector<std::string>& witness,
                                                           const ExplainOptions& options);

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

  /// Opens the database and reads what was asked for: see load_asked().
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
  std::optional<ExplanationStore> explanations_;
};

}  // namespace gordian
