// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/coverage_store.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "store/encoding.h"
#include "store/facts_json.h"

namespace gordian {
namespace {

using nlohmann::json;

/// How the binary is started, and its tests.
std::int64_t digest_of(const Target& target, const Suite& suite) {
  Digest digest;
  digest.add(target.working_dir.string()).add(target);
  for (const Test& test : suite.tests()) digest.add(test.full_name());
  return digest.value();
}

/// Units as [file, [line or [line, function], ...]] for each file.
json units_json(const std::vector<CoverUnit>& units) {
  json files = json::array();
  for (const CoverUnit& unit : units) {
    if (files.empty() || files.back()[0] != unit.file) {
      files.push_back(json::array({unit.file, json::array()}));
    }
    json& list = files.back()[1];
    if (unit.function.empty())
      list.push_back(unit.line);
    else
      list.push_back(json::array({unit.line, unit.function}));
  }
  return files;
}

std::vector<CoverUnit> units_from(const json& files) {
  std::vector<CoverUnit> units;
  for (const json& file : files) {
    for (const json& unit : file.at(1)) {
      const bool function = unit.is_array();
      units.push_back({file.at(0).get<std::string>(), (function ? unit.at(0) : unit).get<int>(),
                       function ? unit.at(1).get<std::string>() : ""});
    }
  }
  return units;
}

/// nullopt: rows of other tests or units, or damage.
std::optional<CoverTable> table_from(const json& units, Bytes rows, std::size_t tests) {
  CoverTable table;
  table.units = units_from(units);
  auto sets = unpack_rows(rows, tests, table.units.size());
  if (!sets) return std::nullopt;
  table.tests = std::move(*sets);
  return table;
}

Error unreadable(const std::string& why) {
  return internal_error(fmt::format("the coverage is stored in a way we cannot read: {}", why),
                        "collect it anew with --again");
}

}  // namespace

Status CoverageStore::save(const Target& target, const SearchedBuild& build, const Suite& suite,
                           const Coverage& coverage) {
  const json about = {{"source", coverage.source},
                      {"notices", coverage.notices},
                      {"statements", units_json(coverage.statements.units)},
                      {"functions", units_json(coverage.functions.units)}};
  return database_
      .prepare(
          "INSERT OR REPLACE INTO coverage (binary_path, way, digest, sha256, libraries,"
          " created_unix_ms, about, statements, functions)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
      .run(target.binary.string(), to_string(coverage.way), digest_of(target, suite), build.sha256,
           build.libraries, unix_ms(), dump_compact(about),
           Bytes(pack_rows(coverage.statements.tests)), Bytes(pack_rows(coverage.functions.tests)));
}

Result<std::optional<StoredCoverage>> CoverageStore::load(const Target& target,
                                                          const SearchedBuild& build,
                                                          const Suite& suite, CoverageWay way) {
  Statement query = database_.prepare(
      "SELECT created_unix_ms, about, statements, functions FROM coverage WHERE binary_path = ?1"
      " AND way = ?2 AND digest = ?3 AND sha256 = ?4 AND libraries = ?5");
  auto row = query
                 .bind(target.binary.string(), to_string(way), digest_of(target, suite),
                       build.sha256, build.libraries)
                 .step();
  if (!row) return row.error();
  if (!*row) return std::optional<StoredCoverage>();
  StoredCoverage stored;
  stored.age = age_of(query.integer(0));
  stored.coverage.way = way;
  try {
    const json about = json::parse(query.text(1));
    stored.coverage.source = about.at("source");
    stored.coverage.notices = about.at("notices").get<std::vector<std::string>>();
    auto statements = table_from(about.at("statements"), query.bytes(2), suite.size());
    auto functions = table_from(about.at("functions"), query.bytes(3), suite.size());
    if (!statements || !functions) return unreadable("its rows do not fit");
    stored.coverage.statements = std::move(*statements);
    stored.coverage.functions = std::move(*functions);
  } catch (const json::exception& error) {
    return unreadable(error.what());
  }
  return std::optional(std::move(stored));
}

}  // namespace gordian
