// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test leans on an environment variable that an earlier one sets. Linked to the shared library.
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <string>

BOOST_AUTO_TEST_CASE(region_can_be_set) {
  BOOST_TEST(setenv("ZOO_REGION", "north", 1) == 0);  // WRITE
}

BOOST_AUTO_TEST_CASE(region_is_north) {
  const char* region = std::getenv("ZOO_REGION");  // READ
  BOOST_REQUIRE(region != nullptr);
  BOOST_TEST(std::string(region) == "north");
}

BOOST_AUTO_TEST_CASE(there_is_a_path) {
  BOOST_TEST(std::getenv("PATH") != nullptr);
}
