// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The fixture of a suite changes a setting and does not put it back.
#include <boost/test/unit_test.hpp>

static int g_millimetres = 1000;

struct Feet {
  Feet() { g_millimetres = 305; }  // WRITE
};

BOOST_AUTO_TEST_CASE(metres_are_the_default) {
  BOOST_TEST(g_millimetres == 1000);  // READ
}

BOOST_AUTO_TEST_SUITE(imperial, *boost::unit_test::fixture<Feet>())

BOOST_AUTO_TEST_CASE(feet_are_used) {
  BOOST_TEST(g_millimetres == 305);
}

BOOST_AUTO_TEST_CASE(units_are_positive) {
  BOOST_TEST(g_millimetres > 0);
}

BOOST_AUTO_TEST_SUITE_END()
