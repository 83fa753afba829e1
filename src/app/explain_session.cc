// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/explain_session.h"

#include <chrono>
#include <utility>

#include "app/stored_dependences.h"
#include "base/text.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

/// One event stream, two consumers.
class StoringListener : public ExplainListener {
 public:
  StoringListener(const ExplainJob& job, ExplanationStore* store, StepListener& steps)
      : job_(job), store_(store), steps_(steps) {}

  void step(const Dependence& dependence, std::string_view what) override {
    steps_.step(dependence, what);
  }

  void explained(const Dependence& dependence, const Explanation& explanation) override {
    steps_.done_one();
    if (store_ == nullptr || (!explanation.proved && cut_short())) return;
    StoredExplanation stored;
    stored.explanation = explanation;
    stored.sha256 = job_.binary.sha256;
    stored.with_sites = job_.options.sites;
    stored.witness = names_of(job_.suite, dependence.witness);
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
  StepListener& steps_;
  Clock::time_point started_ = Clock::now();
  Status trouble_;
};

}  // namespace

Result<ExplainJob> explain_job(const DependenceGroup& group,
                               const std::vector<NamedDependence>& dependences,
                               const EngineOptions& engine) {
  ExplainJob job;
  job.target = group.stored.front().target;
  job.binary = group.binary;
  job.engine = engine;
  std::vector<Notice> notices;
  auto suite = runtime_of(job.target).list(job.target, job.engine, notices);
  if (!suite) return suite.error();
  job.suite = *suite;
  for (const NamedDependence& stored : dependences) {
    auto dependence = numbered(stored, job.suite);
    if (!dependence) return dependence.error();
    job.dependences.push_back(std::move(*dependence));
  }
  return job;
}

Result<std::vector<Explanation>> explain_each(const ExplainJob& job, ExplanationStore* store,
                                              FrontEnd& front_end) {
  const auto steps = front_end.steps(StepWork::explain, job.suite, job.dependences.size());
  EngineOptions engine = job.engine;
  engine.should_stop = [&steps, &job] {
    steps->refresh();  // a step may take long, and this is asked all the time
    return interrupted() || job.engine.should_stop();
  };
  StoringListener listener(job, store, *steps);
  auto prober = runtime_of(job.target).prober(job.target, engine);
  if (!prober) return prober.error();
  auto explanations = explain(**prober, job.dependences, engine.should_stop, job.options, listener);
  if (explanations && !listener.trouble()) return listener.trouble().error();
  return explanations;
}

Result<std::vector<Dependence>> explain_what_is_new(ExplainJob job, ExplanationStore* store,
                                                    FrontEnd& front_end) {
  std::vector<Dependence> all = job.dependences;
  std::vector<std::size_t> open;  // places in `all`
  job.dependences.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::optional<StoredExplanation> found;
    if (store != nullptr) {
      auto known = known_explanation(*store, all[i].id, job.binary.sha256,
                                     names_of(job.suite, all[i].witness), job.options);
      if (!known) return known.error();
      found = std::move(*known);
    }
    if (found) {
      all[i].explanation = std::move(found->explanation);
    } else {
      open.push_back(i);
      job.dependences.push_back(all[i]);
    }
  }
  if (open.empty()) return all;
  auto made = explain_each(job, store, front_end);
  if (!made) return made.error();
  for (std::size_t i = 0; i < open.size() && i < made->size(); ++i) {
    all[open[i]].explanation = std::move((*made)[i]);
  }
  return all;
}

Result<std::optional<StoredExplanation>> known_explanation(ExplanationStore& store, DependenceId id,
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

Result<std::vector<DependenceGroup>> ExplainSession::load(const std::vector<std::string>& ids) {
  auto groups = load_asked(ids, db_);
  if (!groups) return groups.error();
  if (Status s = ExplanationStore::open(db_, explanations_); !s) return s.error();
  return groups;
}

Result<std::optional<StoredExplanation>> ExplainSession::known(const DependenceGroup& group,
                                                               const NamedDependence& dependence) {
  if (request_.again) return std::optional<StoredExplanation>();
  return known_explanation(*explanations_, dependence.id, group.binary.sha256, dependence.witness,
                           request_.options);
}

Result<std::vector<Explanation>> ExplainSession::make(const DependenceGroup& group,
                                                      const std::vector<NamedDependence>& missing) {
  if (missing.empty()) return std::vector<Explanation>();
  EngineOptions engine = request_.engine;
  if (request_.usual_timeout) {
    auto usual =
        parse_duration(std::string(runtime_of(group.stored.front().target).traits().test_timeout));
    if (usual) engine.limits.test_timeout = *usual;
  }
  auto job = explain_job(group, missing, engine);
  if (!job) return job.error();
  job->options = request_.options;
  return explain_each(*job, &*explanations_, front_end_);
}

Result<ExplainFacts> ExplainSession::explain(DependenceGroup& group) {
  if (Status same_build = check_build(group); !same_build) return same_build.error();
  std::vector<std::optional<StoredExplanation>> known_ones;
  std::vector<NamedDependence> missing;
  for (const NamedDependence& stored : group.stored) {
    auto found = known(group, stored);
    if (!found) return found.error();
    if (!*found) missing.push_back(stored);
    known_ones.push_back(std::move(*found));
  }
  ExplainFacts facts;
  facts.binary = group.stored.front().target.binary.string();
  facts.db = db_;
  facts.suite = suite_of_names(group.stored);
  auto fresh = make(group, missing);
  if (!fresh) return fresh.error();
  for (std::size_t i = 0, next = 0; i < group.stored.size(); ++i) {
    auto dependence = numbered(group.stored[i], facts.suite);
    if (!dependence) return dependence.error();
    if (known_ones[i]) {
      dependence->explanation = std::move(known_ones[i]->explanation);
    } else if (next < fresh->size()) {
      dependence->explanation = std::move((*fresh)[next++]);
    }
    facts.explained.push_back(std::move(*dependence));
  }
  return facts;
}

}  // namespace gordian
