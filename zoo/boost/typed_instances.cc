// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Instances are counted, and both instances of a template test leave one behind.
#include <boost/test/unit_test.hpp>

#include <tuple>

static int g_live = 0;

template <typename T>
struct Box {
  T value{};
  Box() { ++g_live; }  // WRITE
};

using Types = std::tuple<int, double>;

BOOST_AUTO_TEST_CASE(nothing_lives) {
  BOOST_TEST(g_live == 0);  // READ
}

BOOST_AUTO_TEST_CASE_TEMPLATE(box_is_empty, T, Types) {
  BOOST_TEST(Box<T>().value == T());
}
