// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a test needs is declared, what spoils it is not. All of the framework is compiled into this
// file.
#include <boost/test/included/unit_test.hpp>

namespace utf = boost::unit_test;

static bool g_open = false;
static int g_port = 80;

BOOST_AUTO_TEST_SUITE(server)

BOOST_AUTO_TEST_CASE(opens) {
  g_open = true;
  BOOST_TEST(g_open);
}

BOOST_AUTO_TEST_CASE(answers_at_its_port, *utf::depends_on("server/opens")) {
  BOOST_REQUIRE(g_open);
  BOOST_TEST(g_port == 80);  // READ
}

BOOST_AUTO_TEST_CASE(port_can_be_chosen, *utf::depends_on("server/opens")) {
  g_port = 8080;  // WRITE
  BOOST_TEST(g_port == 8080);
}

BOOST_AUTO_TEST_CASE(port_is_valid) {
  BOOST_TEST(g_port > 0);
}

BOOST_AUTO_TEST_SUITE_END()
