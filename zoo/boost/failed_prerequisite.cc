// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test is skipped because one that it declares fails: that says nothing about itself.
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(hose)

BOOST_AUTO_TEST_CASE(holds) {
  BOOST_TEST(false, "it leaks");
}

BOOST_AUTO_TEST_CASE(carries_water, *boost::unit_test::depends_on("hose/holds")) {
  BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(is_round) {
  BOOST_TEST(true);
}

BOOST_AUTO_TEST_SUITE_END()
