// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A plain global, written in a nested suite and read in the one around it.
#include <boost/test/unit_test.hpp>

static int g_entries = 0;

static void book() {
  ++g_entries;  // WRITE
}

BOOST_AUTO_TEST_SUITE(ledger)

BOOST_AUTO_TEST_CASE(starts_empty) {
  BOOST_TEST(g_entries == 0);  // READ
}

BOOST_AUTO_TEST_SUITE(entries)

BOOST_AUTO_TEST_CASE(books_one) {
  const int before = g_entries;
  book();
  BOOST_TEST(g_entries == before + 1);
}

BOOST_AUTO_TEST_CASE(is_not_negative) {
  BOOST_TEST(g_entries >= 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
