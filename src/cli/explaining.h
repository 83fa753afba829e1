// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Explaining dependences of one binary as `explain` and `detect --explain` do: with a display, and
// with each explanation stored as soon as it is there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/stored_groups.h"
#include "base/result.h"
#include "model/dependence.h"
#include "report/terminal_style.h"
#include "runtime/engine_options.h"
#include "runtime/explainer.h"
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
                               const std::vector<StoredDependence>& dependences,
                               const EngineOptions& engine);

/// One explanation for each dependence. `store` may be null. An explanation without a proof that
/// the budget or the user cut short is not stored: the next attempt may know more.
Result<std::vector<Explanation>> explain_on_screen(const ExplainJob& job, ExplanationStore* store,
                                                   const TerminalFacts& terminal);
/// The same without a display; job.engine.should_stop ends it.
Result<std::vector<Explanation>> explain_quietly(const ExplainJob& job, ExplanationStore* store);

/// The same, without those that are explained already: for them the stored explanation is returned.
Result<std::vector<Explanation>> explain_what_is_new(ExplainJob job, ExplanationStore* store,
                                                     const TerminalFacts& terminal);

/// What is stored and would be the answer again: of the same build and witness, with places if they
/// are asked for, and with as many proofs.
Result<std::optional<StoredExplanation>> known_explanation(ExplanationStore& store, int id,
                                                           const std::string& sha256,
                                                           const std::vector<std::string>& witness,
                                                           const ExplainOptions& options);

}  // namespace gordian
