// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests that are disabled, skipped, expected to fail, or fail, in every order alike.
#include <boost/test/unit_test.hpp>

#include <stdexcept>

namespace utf = boost::unit_test;

static boost::test_tools::assertion_result has_a_printer(utf::test_unit_id) {
  boost::test_tools::assertion_result result(false);
  result.message() << "there is no printer";
  return result;
}

BOOST_AUTO_TEST_SUITE(decorated)

BOOST_AUTO_TEST_CASE(is_off, *utf::disabled()) {
  BOOST_TEST(false);
}

BOOST_AUTO_TEST_CASE(is_on, *utf::enable_if<true>() * utf::label("quick") * utf::timeout(20)) {
  BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(fails_as_expected, *utf::expected_failures(2)) {
  BOOST_TEST(1 == 2);
  BOOST_TEST(2 == 3);
}

BOOST_AUTO_TEST_CASE(prints, *utf::precondition(has_a_printer)) {
  BOOST_TEST(false);
}

BOOST_AUTO_TEST_CASE(throws) {
  throw std::runtime_error("no paper");
}

BOOST_AUTO_TEST_CASE(fails) {
  BOOST_CHECK_EQUAL(1 + 1, 3);
  BOOST_CHECK_EQUAL(1 + 1, 4);
}

BOOST_AUTO_TEST_SUITE_END()
