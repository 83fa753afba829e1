// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/explain_session.h"

#include <utility>

#include "app/stored_ids.h"
#include "app/stored_suite.h"
#include "base/text.h"
#include "runtime/runtime.h"

namespace gordian {

Result<std::vector<DependenceGroup>> ExplainSession::load(const std::vector<std::string>& ids) {
  if (auto missing = missing_database(ids.empty() ? "search" : ids.front(), db_)) return *missing;
  auto dependences = DependenceStore::open(db_);
  if (!dependences) return dependences.error();
  dependences_.emplace(std::move(*dependences));
  auto explanations = ExplanationStore::open(db_);
  if (!explanations) return explanations.error();
  explanations_.emplace(std::move(*explanations));
  auto asked = asked_dependences(ids, *dependences_);
  if (!asked) return asked.error();
  return load_groups(*asked, *dependences_);
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
    KnownDependence explained{std::move(*dependence), Explanation{}, std::nullopt, std::nullopt};
    if (known_ones[i]) {
      explained.explanation = std::move(known_ones[i]->explanation);
      explained.age = known_ones[i]->age;
    } else if (next < fresh->size()) {
      explained.explanation = std::move((*fresh)[next++]);
    }
    facts.explained.push_back(std::move(explained));
  }
  return facts;
}

}  // namespace gordian
