// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#define BOOST_TEST_MODULE declare
#include <boost/test/unit_test.hpp>

#include <string>

std::string g_user;

BOOST_AUTO_TEST_CASE(logs_in) {
  g_user = "anna";
  BOOST_TEST(g_user == "anna");
}

BOOST_AUTO_TEST_CASE(buys) {
  BOOST_TEST(g_user == "anna");
}
