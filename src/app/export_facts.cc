// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/export_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/detect_session.h"
#include "app/known_dependences.h"
#include "app/stored_dependences.h"
#include "frameworks/framework_traits.h"
#include "order/shard.h"
#include "runtime/runtime.h"
#include "runtime/session.h"
#include "state/kinds/state_kinds.h"
#include "store/explanation_store.h"

namespace gordian {
namespace {

constexpr std::size_t kMostBazelShards = 50;  ///< Bazel takes no more

bool outlives_process(const Carrier& carrier) {
  return row_of(carrier.key.kind()).outlives_process;
}

/// What is known of the state behind a dependence.
enum class Where : std::uint8_t { unknown, memory, outside };

Where where_of(const Explanation& explanation) {
  const auto& carriers = explanation.carriers;
  if (std::any_of(carriers.begin(), carriers.end(), outlives_process)) return Where::outside;
  return explanation.proved ? Where::memory : Where::unknown;
}

/// One answer for each dependence.
Result<std::vector<Where>> locate(const std::vector<Dependence>& list, const Suite& suite,
                                  const BinaryIdentity& binary, const std::string& db) {
  std::vector<Where> places(list.size(), Where::unknown);
  if (list.empty()) return places;
  auto store = ExplanationStore::open(db);
  if (!store) return store.error();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Dependence& d = list[i];
    auto stored = store->load(d.id);
    if (!stored) return stored.error();
    const bool fits = *stored && (*stored)->fits(binary.sha256, names_of(suite, d.witness));
    if (fits) places[i] = where_of((*stored)->explanation);
  }
  return places;
}

/// Where tests are processes the default order is nothing to keep to: what is wanted is a pass, if
/// the test passes in either of its two ways.
std::vector<Dependence> towards_passing(std::vector<Dependence> list) {
  for (Dependence& d : list) {
    if (!is_failure(d.expected.kind)) continue;
    if (!is_failure(d.alone.kind)) {
      d.expected = d.alone;
    } else if (!is_failure(d.witnessed.kind)) {
      d.expected = d.witnessed;
    }
  }
  return list;
}

/// A binary with what is known of it.
struct Opened {
  Suite suite;
  BinaryIdentity binary;
  KnownDependences known;
  std::vector<Where> places;  ///< one for each dependence of `known`
};

Result<Opened> open_binary(const Target& target, const ExportOptions& options,
                           std::vector<Notice>& notices) {
  Opened opened;
  auto suite = runtime_of(target).list(target, options.watch.engine, notices);
  if (!suite) return suite.error();
  if (suite->size() == 0) return no_tests_error(target);
  opened.suite = *suite;
  auto binary = identity_of(target);
  if (!binary) return binary.error();
  opened.binary = std::move(*binary);
  auto known = known_dependences(opened.binary, opened.suite, options.db);
  if (!known) return known.error();
  opened.known = std::move(*known);
  notices.insert(notices.end(), opened.known.notices.begin(), opened.known.notices.end());
  auto places = locate(opened.known.list, opened.suite, opened.binary, options.db);
  if (!places) return places.error();
  opened.places = std::move(*places);
  return opened;
}

/// Adds the locks' source to the facts: what tests read and write.
Result<std::optional<DataFlow>> watch_files(const Target& target, const ExportOptions& options,
                                            FrontEnd& front_end, CtestExport& facts) {
  if (!options.locks) return std::optional<DataFlow>();
  auto session = DetectSession::open(options.watch, options.db, front_end);
  if (!session) return session.error();
  auto graph = session->graph(target);
  if (!graph) return graph.error();
  if (graph->flows.empty()) return std::optional<DataFlow>();
  facts.looked_at_files = true;
  facts.misses = graph->flows.front().flow.misses;
  return std::optional(std::move(graph->flows.front().flow));
}

/// Where each test is one of ctest's.
Result<CtestExport> export_of_build(const Target& target, const std::vector<CtestEntry>& entries,
                                    const ExportOptions& options, FrontEnd& front_end) {
  CtestExport facts;
  std::vector<Notice> of_list;
  auto suite = runtime_of(target).list(target, {}, of_list);
  if (!suite) return suite.error();
  facts.suite = *suite;
  auto build = identity_of(target);
  if (!build) return build.error();
  facts.binary = std::move(*build);
  for (const Test& test : facts.suite.tests()) facts.names.push_back(test.full_name());
  for (const CtestEntry& entry : entries) facts.before[entry.name] = entry;
  auto known = known_dependences(facts.binary, facts.suite, options.db);
  if (!known) return known.error();
  facts.notices = known->notices;
  auto flow = watch_files(target, options, front_end, facts);
  if (!flow) return flow.error();
  const Constraints constraints(facts.suite, towards_passing(std::move(known->list)));
  facts.rules = runner_rules(constraints, *flow ? &**flow : nullptr);
  return facts;
}

Result<CtestExport> export_of_binary(const Target& target, const ExportOptions& options) {
  CtestExport facts;
  auto opened = open_binary(target, options, facts.notices);
  if (!opened) return opened.error();
  facts.suite = opened->suite;
  facts.binary = opened->binary;
  for (const Test& test : facts.suite.tests()) {
    facts.names.push_back(batch::ctest_name(test, options.style));
  }
  const std::vector<Dependence> list = towards_passing(opened->known.list);
  std::vector<Dependence> outside;
  std::vector<RunnerRules::Unmet> unmet;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Dependence& d = list[i];
    if (opened->places[i] != Where::memory) {
      outside.push_back(list[i]);
    } else if (!same_result(d.expected, d.alone)) {
      unmet.push_back({d.test, d.id,
                       "it needs what other tests leave in memory, and has a process of its own"});
    }
  }
  facts.rules = runner_rules(Constraints(facts.suite, outside, opened->known.changed), nullptr);
  facts.rules.unmet.insert(facts.rules.unmet.end(), unmet.begin(), unmet.end());
  return facts;
}

}  // namespace

Result<CtestExport> ctest_export(const Target& target, const ExportOptions& options,
                                 FrontEnd& front_end) {
  auto entries = runtime_of(target).ctest_entries(target);
  if (!entries) return entries.error();
  return entries->empty() ? export_of_binary(target, options)
                          : export_of_build(target, *entries, options, front_end);
}

Result<BazelTarget> bazel_export(const Target& target, const ExportOptions& options) {
  BazelTarget facts;
  auto opened = open_binary(target, options, facts.notices);
  if (!opened) return opened.error();
  const Constraints& constraints = opened->known.constraints;
  facts.name = target.binary.filename().string();
  facts.binary = opened->binary;
  facts.searched = opened->known.searched;
  facts.order_dependent = !opened->known.list.empty();
  facts.shares_files = std::count(opened->places.begin(), opened->places.end(), Where::outside) > 0;
  facts.any_count = !constraints.any();
  // Shards run at the same time; and how other frameworks divide is not known here.
  const FrameworkTraits* traits = find_traits(opened->suite.framework());
  const bool divides = traits != nullptr && traits->shards_round_robin && !facts.shares_files;
  facts.safe_counts =
      safe_round_robin(constraints, opened->suite.default_order(), divides ? kMostBazelShards : 1);
  return facts;
}

}  // namespace gordian
