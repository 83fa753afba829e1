// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <boost/test/unit_test.hpp>

#include <string>

static std::string& unit() {
  static std::string name = "metre";
  return name;
}

struct Imperial {
  Imperial() { unit() = "foot"; }  // WRITE
};

BOOST_AUTO_TEST_CASE(metric_is_the_default) {
  BOOST_TEST(unit() == "metre");  // READ
}

BOOST_AUTO_TEST_SUITE(imperial, *boost::unit_test::fixture<Imperial>())

BOOST_AUTO_TEST_CASE(feet_are_used) {
  BOOST_TEST(unit() == "foot");
}

BOOST_AUTO_TEST_CASE(names_are_short) {
  BOOST_TEST(unit().size() < 10u);
}

BOOST_AUTO_TEST_SUITE_END()
