// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/flow_store.h"

#include <fmt/format.h>

#include <map>

#include "store/encoding.h"
#include "store/facts_json.h"

namespace gordian {
namespace {

using nlohmann::json;

/// How the binary is started, and which tests ran in which sequence.
std::int64_t digest_of(const FlowKey& key, const Suite& suite) {
  Digest digest;
  digest.add(key.target.working_dir.string()).add(key.target);
  digest.add(static_cast<std::uint32_t>(suite.size()));
  for (TestId test : key.order) digest.add(suite.test(test).full_name());
  return digest.value();
}

std::string kind_of(const FlowKey& key) {
  return fmt::format("{}{}", to_string(key.source), key.alone ? " alone" : "");
}

}  // namespace

Status FlowStore::save(const FlowKey& key, const SearchedBuild& build, const Suite& suite,
                       const DataFlow& flow) {
  return database_
      .prepare(
          "INSERT OR REPLACE INTO data_flows (binary_path, kind, digest, sha256, libraries,"
          " created_unix_ms, flow, refinement) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
      .run(key.target.binary.string(), kind_of(key), digest_of(key, suite), build.sha256,
           build.libraries, unix_ms(), dump_compact(flow_json(flow)),
           dump_compact(refinement_json({})));
}

Status FlowStore::save(const FlowKey& key, const SearchedBuild& build, const Suite& suite,
                       const RefinementRecord& refinement) {
  return database_
      .prepare(
          "UPDATE data_flows SET refinement = ?1 WHERE binary_path = ?2 AND kind = ?3"
          " AND digest = ?4 AND sha256 = ?5 AND libraries = ?6")
      .run(dump_compact(refinement_json(refinement)), key.target.binary.string(), kind_of(key),
           digest_of(key, suite), build.sha256, build.libraries);
}

Result<std::optional<StoredFlow>> FlowStore::load(const FlowKey& key, const SearchedBuild& build,
                                                  const Suite& suite) {
  Statement query = database_.prepare(
      "SELECT created_unix_ms, flow, refinement FROM data_flows WHERE binary_path = ?1"
      " AND kind = ?2 AND digest = ?3 AND sha256 = ?4 AND libraries = ?5");
  auto row = query
                 .bind(key.target.binary.string(), kind_of(key), digest_of(key, suite),
                       build.sha256, build.libraries)
                 .step();
  if (!row) return row.error();
  if (!*row) return std::optional<StoredFlow>();
  StoredFlow stored;
  try {
    stored.age = age_of(query.integer(0));
    stored.flow = flow_from(json::parse(query.text(1)), suite.size());
    stored.refinement = refinement_from(json::parse(query.text(2)), suite.size());
  } catch (const json::exception& error) {
    return internal_error(
        fmt::format("the data flow is stored in a way we cannot read: {}", error.what()),
        "'gordian graph --again' collects it anew");
  }
  if (stored.flow.order != key.order) return std::optional<StoredFlow>();  // digests may collide
  stored.flow.source = key.source;
  stored.flow.alone = key.alone;
  return std::optional(std::move(stored));
}

RefinementRecord record_of(const FlowFacts& facts) {
  RefinementRecord record{{}, facts.schedules, facts.tests_run, facts.refined_seconds};
  for (std::size_t i = 0; i < facts.tested.size(); ++i) {
    if (facts.tested[i].verdict == FlowVerdict::untested) continue;
    const DataDependence& dependence = facts.flow.dependences[i];
    record.tested.push_back({dependence.reader, dependence.writer, facts.tested[i]});
  }
  return record;
}

void apply(const RefinementRecord& record, FlowFacts& facts) {
  std::map<std::pair<TestId, TestId>, const TestedFlow*> known;
  for (const TestedDependence& one : record.tested) known[{one.reader, one.writer}] = &one.tested;
  facts.tested.resize(facts.flow.dependences.size());
  for (std::size_t i = 0; i < facts.tested.size(); ++i) {
    const DataDependence& dependence = facts.flow.dependences[i];
    auto it = known.find({dependence.reader, dependence.writer});
    if (it != known.end()) facts.tested[i] = *it->second;
  }
  facts.schedules = record.schedules;
  facts.tests_run = record.tests_run;
  facts.refined_seconds = record.seconds;
}

}  // namespace gordian
