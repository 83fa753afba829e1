// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/suite_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "store/encoding.h"
#include "store/words.h"

namespace gordian {
namespace {

Test read_test(const Statement& row) {
  Test test;
  test.suite = row.text(1);
  test.name = row.text(2);
  test.file = row.text(3);
  test.line = row.small_integer(4);
  test.type_param = row.text(5);
  test.value_param = row.text(6);
  test.disabled = row.integer(7) != 0;
  test.will_run = row.integer(8) != 0;
  return test;
}

Result<std::vector<Test>> load_tests(Database& database, SuiteRow suite) {
  std::vector<Test> tests;
  Statement select = database.prepare(
      "SELECT test_id, suite, name, file, line, type_param, value_param, disabled, will_run"
      " FROM tests WHERE suite_id = ?1 ORDER BY test_id");
  Status status = select.bind(suite).each([&](Statement& row) -> Status {
    if (row.integer(0) != static_cast<std::int64_t>(tests.size())) {
      return inconsistent(database, "a test is missing from its suite");
    }
    tests.push_back(read_test(row));
    return {};
  });
  if (!status) return status.error();
  return tests;
}

/// Of the same runtime: others may be none that this version knows.
Result<std::vector<SuiteRow>> suites_with_digest(Database& database, std::int64_t digest,
                                                 const RuntimeTraits& runtime) {
  Statement select = database.prepare("SELECT id FROM suites WHERE digest = ?1 AND runtime = ?2");
  return select.bind(digest, runtime.word).list([](Statement& row) {
    return SuiteRow{row.integer(0)};
  });
}

Status insert_tests(Database& database, SuiteRow row, const Suite& suite) {
  Statement insert = database.prepare(
      "INSERT INTO tests (suite_id, test_id, suite, name, file, line, type_param, value_param,"
      " disabled, will_run) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  std::size_t id = 0;
  for (const Test& test : suite.tests()) {
    Status status = insert.run(row, id++, test.suite, test.name, test.file, test.line,
                               test.type_param, test.value_param, test.disabled, test.will_run);
    if (!status) return status;
  }
  return {};
}

Result<SuiteRow> insert_suite(Database& database, std::int64_t digest, const Suite& suite) {
  Status status = database
                      .prepare(
                          "INSERT INTO suites (digest, framework, framework_version, runtime)"
                          " VALUES (?1, ?2, ?3, ?4)")
                      .run(digest, stored_word(suite.framework()), suite.framework_version(),
                           suite.runtime().word);
  if (!status) return status.error();
  const SuiteRow row{database.last_insert_id()};
  if (status = insert_tests(database, row, suite); !status) return status.error();
  return row;
}

}  // namespace

Error inconsistent(const Database& database, std::string_view what) {
  return internal_error(fmt::format("the database {} is damaged: {}", database.file(), what),
                        "move the file away, or use --db OTHER");
}

Result<BinaryRow> save_binary(Database& database, const BinaryIdentity& binary) {
  Statement select =
      database.prepare("SELECT id FROM binaries WHERE sha256 = ?1 AND build_id = ?2 AND size = ?3");
  auto found = select.bind(binary.sha256, binary.build_id, binary.size).first_integer();
  if (!found) return found.error();
  if (*found) return BinaryRow{**found};
  Status status =
      database.prepare("INSERT INTO binaries (sha256, build_id, size) VALUES (?1, ?2, ?3)")
          .run(binary.sha256, binary.build_id, binary.size);
  if (!status) return status.error();
  return BinaryRow{database.last_insert_id()};
}

Result<SuiteRow> save_suite(Database& database, const Suite& suite) {
  const std::int64_t digest = digest_of(suite);
  auto candidates = suites_with_digest(database, digest, suite.runtime());
  if (!candidates) return candidates.error();
  for (SuiteRow row : *candidates) {
    Result<Suite> stored = load_suite(database, row);
    if (!stored) return stored.error();
    if (same_content(*stored, suite)) return row;
  }
  return insert_suite(database, digest, suite);
}

Result<Suite> load_suite(Database& database, SuiteRow row) {
  Statement select =
      database.prepare("SELECT framework, framework_version, runtime FROM suites WHERE id = ?1");
  Result<bool> found = select.bind(row).step();
  if (!found) return found.error();
  if (!*found) return inconsistent(database, "a suite is missing");
  auto framework = parse_stored_word<Framework>(select.text(0));
  if (!framework) return framework.error();
  auto runtime = parse_stored_word<RuntimeId>(select.text(2));
  if (!runtime) return runtime.error();
  if (*runtime == nullptr) return inconsistent(database, "what runs a suite is missing");
  auto tests = load_tests(database, row);
  if (!tests) return tests.error();
  return Suite(*runtime, *framework, select.text(1), *std::move(tests));
}

Result<OrderRow> save_order(Database& database, SuiteRow suite, const Order& order) {
  const std::vector<std::byte> packed = pack_order(order);
  const Bytes bytes(packed);
  Digest digest;
  for (TestId test : order) digest.add(std::uint64_t{test.value()});

  Statement select =
      database.prepare("SELECT id FROM orders WHERE suite_id = ?1 AND digest = ?2 AND tests = ?3");
  auto found = select.bind(suite, digest.value(), bytes).first_integer();
  if (!found) return found.error();
  if (*found) return OrderRow{**found};
  Status status =
      database
          .prepare("INSERT INTO orders (suite_id, digest, length, tests) VALUES (?1, ?2, ?3, ?4)")
          .run(suite, digest.value(), order.size(), bytes);
  if (!status) return status.error();
  return OrderRow{database.last_insert_id()};
}

Result<Order> load_order(Database& database, OrderRow row, std::size_t tests) {
  Statement select = database.prepare("SELECT tests FROM orders WHERE id = ?1");
  Result<bool> found = select.bind(row).step();
  if (!found) return found.error();
  if (!*found) return inconsistent(database, "an order is missing");
  const Bytes bytes = select.bytes(0);
  auto order = unpack_order(bytes.data(), bytes.size(), tests);
  if (!order) return inconsistent(database, "an order names a test that its suite does not have");
  return *std::move(order);
}

}  // namespace gordian
