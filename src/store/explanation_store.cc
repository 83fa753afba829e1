// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/explanation_store.h"

#include <fmt/format.h>

#include "store/facts_json.h"

namespace gordian {
namespace {

using nlohmann::json;

}  // namespace

Status ExplanationStore::save(DependenceId id, const StoredExplanation& explained) {
  return database_
      .prepare(
          "INSERT OR REPLACE INTO explanations"
          " (dependence_id, sha256, witness, with_sites, created_unix_ms, facts)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
      .run(id, explained.sha256, dump_compact(explained.witness), explained.with_sites, unix_ms(),
           dump_compact(to_json(explained.explanation, JsonForm::kept)));
}

Result<std::optional<StoredExplanation>> load_explanation(Database& database, DependenceId id) {
  Statement query = database.prepare(
      "SELECT sha256, witness, with_sites, created_unix_ms, facts FROM explanations"
      " WHERE dependence_id = ?1");
  auto row = query.bind(id).step();
  if (!row) return row.error();
  if (!*row) return std::optional<StoredExplanation>();
  StoredExplanation stored;
  try {
    stored.sha256 = query.text(0);
    json::parse(query.text(1)).get_to(stored.witness);
    stored.with_sites = query.integer(2) != 0;
    stored.explanation = explanation_from(json::parse(query.text(4)));
    stored.explanation.age = age_of(query.integer(3));
    stored.explanation.dependence = id;
  } catch (const json::exception& error) {
    return internal_error(fmt::format("the explanation of {} is stored in a way we cannot read: {}",
                                      to_string(id), error.what()),
                          fmt::format("gordian explain {} --again makes it anew", to_string(id)));
  }
  return std::optional(std::move(stored));
}

}  // namespace gordian
