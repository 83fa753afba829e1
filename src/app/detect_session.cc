// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/detect_session.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/explain_session.h"
#include "store/dependence_store.h"
#include "store/explanation_store.h"
#include "store/facts_json.h"
#include "store/flow_store.h"
#include "store/report_store.h"
#include "store/search_store.h"

namespace gordian {

/// The database of a search: what it found, what it covered, what was explained.
struct DetectSession::Stores {
  std::optional<DependenceStore> dependences;
  std::optional<SearchStore> searches;
  std::optional<ExplanationStore> explanations;
  std::optional<FlowStore> flows;

  Status open(const std::string& file) {
    if (Status s = DependenceStore::open(file, dependences); !s) return s;
    if (Status s = SearchStore::open(file, searches); !s) return s;
    if (Status s = ExplanationStore::open(file, explanations); !s) return s;
    return FlowStore::open(file, flows);
  }
};

DetectSession::DetectSession(DetectRequest request, std::string db, FrontEnd& front_end)
    : request_(std::move(request)), db_(std::move(db)), front_end_(front_end) {}

DetectSession::DetectSession(DetectSession&&) noexcept = default;
DetectSession::~DetectSession() = default;

Result<DetectSession> DetectSession::open(DetectRequest request, const std::string& db,
                                          FrontEnd& front_end) {
  DetectSession session(std::move(request), db, front_end);
  if (db.empty()) return session;
  session.stores_ = std::make_unique<Stores>();
  if (Status opened = session.stores_->open(db); !opened) return opened.error();
  session.request_.store = &*session.stores_->searches;
  session.request_.flows = &*session.stores_->flows;
  return session;
}

Result<EstimateFacts> DetectSession::estimate(const Target& target,
                                              const std::vector<AskedSearch>& asked) {
  request_.target = target;
  const auto listener = front_end_.search();
  return gordian::estimate(request_, asked, *listener);
}

Result<GraphFacts> DetectSession::graph(const Target& target) {
  request_.target = target;
  const auto listener = front_end_.count(CountWork::collect);
  auto facts = collect_graph(request_, [&](const CollectProgress& p) { listener->show(p); });
  if (facts) facts->db = db_;
  return facts;
}

Result<DetectSession::Found> DetectSession::search(const Target& target, bool explain) {
  request_.target = target;
  auto listener = front_end_.search();
  auto facts = detect(request_, *listener);
  listener.reset();
  if (!facts) return facts.error();
  Found found{std::move(*facts), {}};
  if (Status kept = keep(found.facts); !kept) found.troubles.push_back(kept.error());
  if (!explain) return found;
  if (Status done = this->explain(found.facts); !done) found.troubles.push_back(done.error());
  return found;
}

/// What an earlier search has found is not to be hidden by one that has not looked.
Status DetectSession::keep(DetectFacts& facts) {
  if (!stores_ || facts.search.nothing_searched) return {};
  facts.db = db_;
  return stores_->dependences->save(facts);
}

Status DetectSession::explain(DetectFacts& facts) {
  constexpr std::chrono::milliseconds kLeast{5000};
  if (facts.dependences.empty() || facts.end == RunEnd::interrupted) return {};
  ExplainJob job{facts.target, facts.binary, facts.suite, facts.dependences, request_.engine, {}};
  if (facts.search.budget.count() > 0) {
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(facts.search.wall);
    job.options.budget = std::max(facts.search.budget - used, kLeast);
  }
  auto explained =
      explain_what_is_new(std::move(job), stores_ ? &*stores_->explanations : nullptr, front_end_);
  if (!explained) return explained.error();
  facts.dependences = std::move(*explained);
  return {};
}

Result<ReportFacts> DetectSession::report(const std::vector<Found>& all) const {
  const bool all_stored = stores_ && std::none_of(all.begin(), all.end(), [](const Found& found) {
                            return found.facts.search.nothing_searched;
                          });
  if (all_stored) {
    auto store = ReportStore::open(db_);
    if (!store) return store.error();
    std::vector<std::string> binaries;
    for (const Found& found : all) binaries.push_back(found.facts.binary.path);
    return store->load(binaries);
  }
  ReportFacts facts;
  for (const Found& found : all) {
    ReportedSuite& suite = facts.suites.emplace_back();
    suite.detect = found.facts;
    suite.ended_unix_ms = unix_ms();
  }
  facts.made_unix_ms = facts.suites.empty() ? 0 : facts.suites.back().ended_unix_ms;
  return facts;
}

}  // namespace gordian
