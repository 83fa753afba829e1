// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Explaining dependences of one binary as `explain`, `detect --explain` and `fix` do: each
// explanation is stored as soon as it is there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/front_end.h"
#include "app/stored_groups.h"
#include "base/result.h"
#include "model/dependence.h"
#include "runtime/engine_options.h"
#include "runtime/powers.h"
#include "store/explanation_store.h"

namespace gordian {

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

/// The same, without those that are explained already: for them the stored explanation is returned.
Result<std::vector<Explanation>> explain_what_is_new(ExplainJob job, ExplanationStore* store,
                                                     FrontEnd& front_end);

/// What is stored and would be the answer again: of the same build and witness, with places if they
/// are asked for, and with as many proofs.
Result<std::optional<StoredExplanation>> known_explanation(ExplanationStore& store, DependenceId id,
                                                           const std::string& sha256,
                                                           const std::vector<std::string>& witness,
                                                           const ExplainOptions& options);

}  // namespace gordian
