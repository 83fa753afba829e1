// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A cache that lives in a function: each sample of a data-driven test fills it.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

namespace data = boost::unit_test::data;

static std::set<int>& cache() {
  static std::set<int> squares;
  return squares;
}

static int square(int n) {
  cache().insert(n);  // WRITE
  return n * n;
}

BOOST_AUTO_TEST_SUITE(squares)

BOOST_AUTO_TEST_CASE(nothing_is_cached) {
  BOOST_TEST(cache().empty());  // READ
}

BOOST_DATA_TEST_CASE(are_positive, data::make({1, -2, 3})) {
  BOOST_TEST(square(sample) > 0);
}

BOOST_AUTO_TEST_SUITE_END()
