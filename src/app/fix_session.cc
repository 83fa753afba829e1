// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_session.h"

#include <algorithm>

#include "app/apply_fix.h"
#include "app/explaining.h"
#include "app/fix_question.h"
#include "app/stored_ids.h"
#include "app/stored_suite.h"
#include "runtime/interrupt.h"

namespace gordian {
namespace {

Result<FixReport> report_of(const DependenceGroup& group, const std::vector<NamedDependence>& found,
                            const std::string& db) {
  FixReport report;
  report.binary = group.stored.front().target.binary.string();
  std::vector<NamedDependence> all = group.stored;
  all.insert(all.end(), found.begin(), found.end());
  report.suite = suite_of_names(all);
  report.db = db;
  for (const NamedDependence& stored : all) {
    auto dependence = numbered(stored, report.suite);
    if (!dependence) return dependence.error();
    report.dependences.push_back(std::move(*dependence));
  }
  return report;
}

/// Without those that were found in the patched program: the database does not know them.
FixFacts storable(const FixReport& report, const DependenceGroup& group) {
  FixFacts facts = report.fix;
  facts.repairs.resize(std::min(facts.repairs.size(), group.stored.size()));
  return facts;
}

}  // namespace

Result<std::vector<DependenceGroup>> FixSession::load(const std::vector<std::string>& words) {
  if (auto missing = missing_database(words.empty() ? "search" : words.front(), db_)) {
    return *missing;
  }
  auto dependences = DependenceStore::open(db_);
  if (!dependences) return dependences.error();
  dependences_.emplace(std::move(*dependences));
  auto explanations = ExplanationStore::open(db_);
  if (!explanations) return explanations.error();
  explanations_.emplace(std::move(*explanations));
  auto fixes = FixStore::open(db_);
  if (!fixes) return fixes.error();
  fixes_.emplace(std::move(*fixes));
  auto searches = SearchStore::open(db_);
  if (!searches) return searches.error();
  searches_.emplace(std::move(*searches));
  auto ids = asked_dependences(words, *dependences_);
  if (!ids) return ids.error();
  return load_groups(*ids, *dependences_);
}

Result<std::optional<StoredFix>> FixSession::known(const FixKey& key, const std::string& stamp) {
  if (again_ || options_.repeat.on) return std::optional<StoredFix>();
  auto stored = fixes_->load(key);
  if (!stored || !*stored) return stored;
  const FixFacts& facts = (*stored)->facts;
  if (facts.source_stamp == stamp && source_is_untouched(facts.files)) return stored;
  return std::optional<StoredFix>();
}

Result<std::vector<KnownDependence>> FixSession::explain(const DependenceGroup& group,
                                                         Suite& suite) {
  auto job = explain_job(group, group.stored, options_.engine);
  if (!job) return job.error();
  suite = job->suite;
  std::vector<KnownDependence> explained;
  for (const Dependence& dependence : job->dependences) {
    explained.push_back({dependence, {}, {}, {}});
  }
  auto explanations = explain_what_is_new(std::move(*job), &*explanations_, front_end_);
  if (!explanations) return explanations.error();
  for (std::size_t i = 0; i < explained.size() && i < explanations->size(); ++i) {
    explained[i].explanation = std::move((*explanations)[i]);
  }
  return explained;
}

Result<FixOutcome> FixSession::make(const DependenceGroup& group, const Project& project,
                                    const FixOptions& options) {
  Suite suite;
  auto explained = explain(group, suite);
  if (!explained) return explained.error();
  if (interrupted()) return Error{ErrorKind::interrupted, "interrupted", ""};
  return fix_explained(project, suite, *explained, options, front_end_);
}

Result<FixReport> FixSession::fix(DependenceGroup& group) {
  if (Status same_build = check_build(group); !same_build) return same_build.error();
  auto project = find_project(group.stored.front().target, options_.project);
  if (!project) return project.error();
  auto report = known_or_made(group, *project);
  if (report) accepted_[project->source_root] = changed_files(report->fix.files);
  return report;
}

Result<FixReport> FixSession::known_or_made(const DependenceGroup& group, const Project& project) {
  FixOptions options = options_;
  options.repair.base = accepted_[project.source_root];
  auto wavering = searches_->nondeterministic(group.binary);
  if (!wavering) return wavering.error();
  options.repair.wavering = {wavering->begin(), wavering->end()};
  const FixKey key = fix_key(group, options);
  const std::string stamp = source_stamp(project);
  auto stored = known(key, stamp);
  if (!stored) return stored.error();
  if (*stored) {
    auto report = report_of(group, {}, db_);
    if (!report) return report;
    report->fix = std::move((*stored)->facts);
    report->fix.source_root = project.source_root;  // not what a database of others says it is
    report->age = (*stored)->age;
    return report;
  }
  auto made = make(group, project, options);
  if (!made) return made.error();
  auto report = report_of(group, made->found, db_);
  if (!report) return report;
  report->fix = std::move(made->facts);
  report->fix.source_stamp = stamp;
  report->notices = std::move(made->notices);
  if (made->interrupted) return report;
  Status saved = fixes_->save(key, storable(*report, group));
  if (!saved) return saved.error();
  return report;
}

}  // namespace gordian
