// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// State goes from test to test, and all of them say so.
#include <boost/test/unit_test.hpp>

#include <vector>

namespace utf = boost::unit_test;

static std::vector<int> g_table;

BOOST_AUTO_TEST_SUITE(table)

BOOST_AUTO_TEST_CASE(is_made) {
  g_table.assign(3, 0);
  BOOST_TEST(g_table.size() == 3u);
}

BOOST_AUTO_TEST_CASE(is_filled, *utf::depends_on("table/is_made")) {
  BOOST_REQUIRE(g_table.size() == 3u);
  for (int i = 0; i < 3; ++i) g_table[i] = i;
  BOOST_TEST(g_table.back() == 2);
}

BOOST_AUTO_TEST_CASE(is_sorted, *utf::depends_on("table/is_filled")) {
  BOOST_REQUIRE(g_table.size() == 3u);
  BOOST_TEST(g_table[2] == 2);
}

BOOST_AUTO_TEST_CASE(of_none_is_empty) {
  BOOST_TEST(std::vector<int>().empty());
}

BOOST_AUTO_TEST_SUITE_END()
