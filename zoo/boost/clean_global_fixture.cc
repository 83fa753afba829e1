// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// State that global fixtures make is there before any test.
#include <boost/test/unit_test.hpp>

#include <string>

static std::string g_connection;

struct Connection {
  void setup() { g_connection = "open"; }
  void teardown() { g_connection.clear(); }
};
BOOST_TEST_GLOBAL_FIXTURE(Connection);

BOOST_AUTO_TEST_CASE(is_open) {
  BOOST_TEST(g_connection == "open");
}

BOOST_AUTO_TEST_SUITE(queries)

BOOST_AUTO_TEST_CASE(find_it_open) {
  BOOST_TEST(g_connection == "open");
}

BOOST_AUTO_TEST_SUITE_END()
