// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/curve_store.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "store/encoding.h"
#include "store/facts_json.h"

namespace gordian {

using nlohmann::json;

Status CurveStore::save(const BinaryIdentity& binary, std::span<const ReportedCurve> curves) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  for (const ReportedCurve& one : curves) {
    const json curve = {{"rate", one.curve.rate}, {"covered", one.curve.covered}};
    Status saved =
        database_
            .prepare(
                "INSERT OR REPLACE INTO curves (binary_path, technique, units, sha256, seed,"
                " curve) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
            .run(binary.path, one.technique, one.units, binary.sha256,
                 static_cast<std::int64_t>(one.seed), dump_compact(curve));
    if (!saved) return saved;
  }
  return transaction->commit();
}

Result<std::vector<ReportedCurve>> CurveStore::load(const BinaryIdentity& binary) {
  return load_curves(database_, binary);
}

Result<std::vector<ReportedCurve>> load_curves(Database& database, const BinaryIdentity& binary) {
  std::vector<ReportedCurve> curves;
  Statement query = database.prepare(
      "SELECT technique, units, seed, curve FROM curves WHERE binary_path = ?1 AND sha256 = ?2"
      " ORDER BY technique <> 'default', technique, units DESC");
  Status read = query.bind(binary.path, binary.sha256).each([&](Statement& row) -> Status {
    ReportedCurve& one = curves.emplace_back();
    one.technique = row.text(0);
    one.units = row.text(1);
    one.seed = static_cast<std::uint64_t>(row.integer(2));
    try {
      const json curve = json::parse(row.text(3));
      one.curve.rate = curve.at("rate").get<double>();
      one.curve.covered = curve.at("covered").get<std::vector<std::size_t>>();
    } catch (const json::exception& error) {
      return internal_error(
          fmt::format("a growth curve is stored in a way we cannot read: {}", error.what()),
          "gordian prioritize makes it anew");
    }
    return {};
  });
  if (!read) return read.error();
  return curves;
}

}  // namespace gordian
