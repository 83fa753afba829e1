// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Samples and instances of templates that share nothing.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <tuple>

namespace data = boost::unit_test::data;

using Types = std::tuple<int, char>;

BOOST_AUTO_TEST_CASE_TEMPLATE(default_values_are_equal, T, Types) {
  BOOST_TEST((T() == T()));
}

BOOST_AUTO_TEST_SUITE(sums)

BOOST_DATA_TEST_CASE(commute, data::xrange(2) * data::make({5, 7}), a, b) {
  BOOST_TEST(a + b == b + a);
}

BOOST_AUTO_TEST_SUITE_END()
