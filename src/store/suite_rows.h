// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What many runs share and the database therefore keeps once: binaries, suites (the list of tests)
// and orders. Each save_* returns the row that already holds this content, or adds one.
// REQUIRES for save_*: an open write transaction.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "base/strong_id.h"
#include "model/run.h"
#include "model/test.h"
#include "store/database.h"

namespace gordian {

using BinaryRow = StrongId<struct BinaryRowTag, std::int64_t>;
using SuiteRow = StrongId<struct SuiteRowTag, std::int64_t>;
using OrderRow = StrongId<struct OrderRowTag, std::int64_t>;

Result<BinaryRow> save_binary(Database& database, const BinaryIdentity& binary);

/// A rebuilt binary whose tests did not move shares the suite of the one before.
Result<SuiteRow> save_suite(Database& database, const Suite& suite);
Result<Suite> load_suite(Database& database, SuiteRow row);

Result<OrderRow> save_order(Database& database, SuiteRow suite, const Order& order);

/// `tests` is the size of the suite: an id outside of it is damage, reported as such.
Result<Order> load_order(Database& database, OrderRow row, std::size_t tests);

/// For content that SQLite finds in order and we do not.
Error inconsistent(const Database& database, std::string_view what);

}  // namespace gordian
