// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Fixtures of cases and of nested suites that put back what they change.
#include <boost/test/unit_test.hpp>

static int g_level = 0;

struct Raised {
  Raised() { ++g_level; }
  ~Raised() { --g_level; }
};

BOOST_AUTO_TEST_CASE(ground) {
  BOOST_TEST(g_level == 0);
}

BOOST_AUTO_TEST_SUITE(first, *boost::unit_test::fixture<Raised>())

BOOST_AUTO_TEST_CASE(floor) {
  BOOST_TEST(g_level == 1);
}

BOOST_AUTO_TEST_SUITE(second, *boost::unit_test::fixture<Raised>())

BOOST_AUTO_TEST_CASE(floor) {
  BOOST_TEST(g_level == 2);
}

BOOST_FIXTURE_TEST_CASE(ladder, Raised) {
  BOOST_TEST(g_level == 3);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(ladder, *boost::unit_test::fixture<Raised>()) {
  BOOST_TEST(g_level == 2);
}

BOOST_AUTO_TEST_SUITE_END()
