// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Coverage that nobody has measured: random tables of any shape, from a seed.
#pragma once

#include <string>
#include <utility>

#include "base/random.h"
#include "model/coverage.h"
#include "model/test.h"

namespace gordian::rank_test {

inline Order first_tests(std::size_t count) {
  Order order;
  for (std::uint32_t i = 0; i < count; ++i) order.push_back(TestId{i});
  return order;
}

inline CoverTable empty_table(std::size_t tests, std::size_t units) {
  CoverTable table;
  for (std::size_t u = 0; u < units; ++u) table.units.push_back({"/a.cc", static_cast<int>(u), {}});
  table.tests.assign(tests, CoverSet(units));
  return table;
}

/// Each unit of each test with this chance in a hundred; some tests are made copies of others, some
/// cover nothing, so that there are ties.
inline CoverTable random_table(std::size_t tests, std::size_t units, std::uint64_t percent,
                               Random& random) {
  CoverTable table = empty_table(tests, units);
  for (std::size_t t = 0; t < tests; ++t) {
    const std::uint64_t what = random.below(10);
    if (what == 0) continue;
    if (what == 1 && t > 0) {
      table.tests[t] = table.tests[random.below(t)];
      continue;
    }
    for (std::size_t u = 0; u < units; ++u) {
      if (random.below(100) < percent) table.tests[t].add(u);
    }
  }
  return table;
}

/// Rows of '1' and '.', one a test.
inline CoverTable table_of_rows(const std::vector<std::string>& rows) {
  CoverTable table = empty_table(rows.size(), rows.front().size());
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (std::size_t u = 0; u < rows[t].size(); ++u) {
      if (rows[t][u] == '1') table.tests[t].add(u);
    }
  }
  return table;
}

}  // namespace gordian::rank_test
