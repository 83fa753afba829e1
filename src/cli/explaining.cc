// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/explaining.h"

#include <chrono>

#include "app/stored_suite.h"
#include "cli/screen.h"
#include "cli/step_display.h"
#include "report/write_file.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> names(const Suite& suite, const Order& order) {
  std::vector<std::string> result;
  for (TestId id : order) result.push_back(suite.test(id).full_name());
  return result;
}

/// One event stream, two consumers.
class ExplainingListener : public ExplainListener {
 public:
  ExplainingListener(const ExplainJob& job, ExplanationStore* store, StepDisplay& display)
      : job_(job), store_(store), display_(display) {}

  void step(const Dependence& dependence, std::string_view what) override {
    display_.step(dependence, what);
  }

  void explained(const Dependence& dependence, const Explanation& explanation) override {
    display_.done_one();
    if (store_ == nullptr || (!explanation.proved && cut_short())) return;
    StoredExplanation stored;
    stored.explanation = explanation;
    stored.sha256 = job_.binary.sha256;
    stored.build_id = job_.binary.build_id;
    stored.with_sites = job_.options.sites;
    stored.witness = names(job_.suite, dependence.witness);
    Status saved = store_->save(dependence.id, stored);
    if (trouble_.ok()) trouble_ = std::move(saved);
  }

  const Status& trouble() const { return trouble_; }

 private:
  bool cut_short() const {
    const auto budget = job_.options.budget;
    return interrupted() || (budget.count() > 0 && Clock::now() - started_ >= budget);
  }

  const ExplainJob& job_;
  ExplanationStore* store_;
  StepDisplay& display_;
  Clock::time_point started_ = Clock::now();
  Status trouble_;
};

Result<std::vector<Explanation>> explain_shown(const ExplainJob& job, ExplanationStore* store,
                                               StepDisplay& display,
                                               const std::function<bool()>& should_stop) {
  EngineOptions engine = job.engine;
  engine.should_stop = [&display, &should_stop] {
    display.refresh();  // a step may take long, and this is asked all the time
    return should_stop();
  };
  ExplainingListener listener(job, store, display);
  auto explanations =
      runtime_of(job.target).explain(job.target, job.dependences, engine, job.options, listener);
  display.finish();
  if (explanations && !listener.trouble()) return listener.trouble().error();
  return explanations;
}

}  // namespace

Result<ExplainJob> explain_job(const DependenceGroup& group,
                               const std::vector<StoredDependence>& dependences,
                               const EngineOptions& engine) {
  ExplainJob job;
  job.target = group.stored.front().target;
  job.binary = group.binary;
  job.engine = engine;
  std::vector<Notice> notices;
  auto suite = runtime_of(job.target).list(job.target, job.engine, notices);
  if (!suite) return suite.error();
  job.suite = std::move(*suite);
  for (const StoredDependence& stored : dependences) {
    auto dependence = to_dependence(stored, job.suite);
    if (!dependence) return dependence.error();
    job.dependences.push_back(std::move(*dependence));
  }
  return job;
}

Result<std::vector<Explanation>> explain_on_screen(const ExplainJob& job, ExplanationStore* store,
                                                   const TerminalFacts& terminal) {
  StepDisplay display("Explain", job.suite, job.dependences.size(), screen_options(terminal),
                      sink_to(kScreen));
  return explain_shown(job, store, display, interrupted);
}

Result<std::vector<Explanation>> explain_quietly(const ExplainJob& job, ExplanationStore* store) {
  StepDisplay nothing("Explain", job.suite, job.dependences.size(), {}, [](std::string_view) {});
  return explain_shown(job, store, nothing, job.engine.should_stop);
}

Result<std::vector<Explanation>> explain_what_is_new(ExplainJob job, ExplanationStore* store,
                                                     const TerminalFacts& terminal) {
  std::vector<Explanation> all;
  std::vector<std::size_t> open;  // places in `all`
  std::vector<Dependence> unknown;
  for (const Dependence& dependence : job.dependences) {
    std::optional<StoredExplanation> found;
    if (store != nullptr) {
      auto known = known_explanation(*store, dependence.id, job.binary.sha256,
                                     names(job.suite, dependence.witness), job.options);
      if (!known) return known.error();
      found = std::move(*known);
    }
    if (!found) {
      open.push_back(all.size());
      unknown.push_back(dependence);
    }
    all.push_back(found ? std::move(found->explanation) : Explanation{});
  }
  if (unknown.empty()) return all;
  job.dependences = std::move(unknown);
  auto made = explain_on_screen(job, store, terminal);
  if (!made) return made.error();
  for (std::size_t i = 0; i < open.size() && i < made->size(); ++i) {
    all[open[i]] = std::move((*made)[i]);
  }
  return all;
}

Result<std::optional<StoredExplanation>> known_explanation(ExplanationStore& store, int id,
                                                           const std::string& sha256,
                                                           const std::vector<std::string>& witness,
                                                           const ExplainOptions& options) {
  auto stored = store.load(id);
  if (!stored || !*stored) return stored;
  const StoredExplanation& found = **stored;
  const Explanation& explanation = found.explanation;
  const bool enough = (found.with_sites || !options.sites) &&
                      (!explanation.proved || explanation.proofs >= options.proofs);
  if (enough && found.fits(sha256, witness)) return stored;
  return std::optional<StoredExplanation>();
}

}  // namespace gordian
