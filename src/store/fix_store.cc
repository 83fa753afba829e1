// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/fix_store.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "store/facts_json.h"

namespace gordian {
namespace {

using nlohmann::json;

/// Source text need not be UTF-8.
Bytes bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::optional<Bytes> bytes_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return bytes_of(*text);
}

json facts_json(const FixFacts& facts) {
  return {{"source_root", facts.source_root},
          {"source_stamp", facts.source_stamp},
          {"build_command", facts.build_command},
          {"commit_message", facts.commit_message},
          {"failing_before", facts.failing_before},
          {"failing_after", facts.failing_after},
          {"random_orders", facts.random_orders},
          {"checks", checks_to_json(facts.checks, JsonForm::kept)},
          {"seconds", facts.seconds}};
}

void facts_from(const json& value, FixFacts& facts) {
  value.at("source_root").get_to(facts.source_root);
  facts.source_stamp = value.value("source_stamp", "");
  value.at("build_command").get_to(facts.build_command);
  value.at("commit_message").get_to(facts.commit_message);
  value.at("failing_before").get_to(facts.failing_before);
  value.at("failing_after").get_to(facts.failing_after);
  value.at("random_orders").get_to(facts.random_orders);
  facts.checks = checks_from(value.at("checks"));
  value.at("seconds").get_to(facts.seconds);
}

}  // namespace

Status FixStore::save(const FixKey& key, const FixFacts& facts) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return transaction.error();
  // Its parts go with the old one.
  Status removed = database_.prepare("DELETE FROM fixes WHERE binary_path = ?1 AND settings = ?2")
                       .run(key.binary_path, key.settings);
  if (!removed) return removed;
  auto id =
      database_
          .prepare(
              "INSERT INTO fixes (binary_path, sha256, settings, created_unix_ms, diff, facts)"
              " VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id")
          .insert(key.binary_path, key.sha256, key.settings, unix_ms(), bytes_of(facts.diff),
                  dump_compact(facts_json(facts)));
  if (!id) return id.error();
  if (Status saved = save_parts(*id, facts); !saved) return saved;
  return transaction->commit();
}

Status FixStore::save_parts(std::int64_t fix, const FixFacts& facts) {
  Statement repair = database_.prepare(
      "INSERT INTO repairs (fix_id, position, dependence_id, facts) VALUES (?1, ?2, ?3, ?4)");
  for (std::size_t i = 0; i < facts.repairs.size(); ++i) {
    const Repair& one = facts.repairs[i];
    Status saved = repair.run(fix, i, one.dependence, dump_compact(to_json(one, JsonForm::kept)));
    if (!saved) return saved;
  }
  Statement file = database_.prepare(
      "INSERT INTO fix_files (fix_id, path, before, after) VALUES (?1, ?2, ?3, ?4)");
  for (const auto& [path, one] : facts.files) {
    Status saved = file.run(fix, path, bytes_of(one.before), bytes_of(one.after));
    if (!saved) return saved;
  }
  return {};
}

Status FixStore::load_parts(std::int64_t fix, FixFacts& facts) {
  Statement repairs = database_.prepare(
      "SELECT dependence_id, facts FROM repairs WHERE fix_id = ?1 ORDER BY position");
  Status read = repairs.bind(fix).each([&facts](Statement& row) {
    Repair repair = repair_from(json::parse(row.text(1)));
    repair.dependence = DependenceId{row.small_integer(0)};
    facts.repairs.push_back(std::move(repair));
  });
  if (!read) return read;
  Statement files =
      database_.prepare("SELECT path, before, after FROM fix_files WHERE fix_id = ?1");
  return files.bind(fix).each([&facts](Statement& row) {
    ChangedFile& file = facts.files[row.text(0)];
    file.after = row.text(2);
    if (!row.is_null(1)) file.before = row.text(1);
  });
}

Result<std::optional<StoredFix>> FixStore::load(const FixKey& key) {
  auto view = Transaction::begin(database_, Transaction::Kind::read);
  if (!view) return view.error();
  Statement query = database_.prepare(
      "SELECT id, created_unix_ms, diff, facts FROM fixes"
      " WHERE binary_path = ?1 AND settings = ?2 AND sha256 = ?3");
  auto row = query.bind(key.binary_path, key.settings, key.sha256).step();
  if (!row) return row.error();
  if (!*row) return std::optional<StoredFix>();
  StoredFix stored;
  try {
    stored.age = age_of(query.integer(1));
    stored.facts.diff = query.text(2);
    facts_from(json::parse(query.text(3)), stored.facts);
    Status read = load_parts(query.integer(0), stored.facts);
    if (!read) return read.error();
  } catch (const json::exception& error) {
    return internal_error(
        fmt::format("a repair is stored in a way we cannot read: {}", error.what()),
        "gordian fix --again makes it anew");
  }
  return std::optional(std::move(stored));
}

}  // namespace gordian
