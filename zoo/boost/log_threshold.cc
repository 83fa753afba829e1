// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
// A setting of the framework itself: one test makes the log quiet, another reads the log.
#include <boost/test/unit_test.hpp>

#include <iostream>
#include <sstream>

namespace utf = boost::unit_test;

static std::string logged(const char* text) {
  std::ostringstream log;
  utf::unit_test_log.set_stream(log);
  BOOST_TEST_MESSAGE(text);
  utf::unit_test_log.set_stream(std::cout);
  return log.str();
}

BOOST_AUTO_TEST_SUITE(logging)

BOOST_AUTO_TEST_CASE(messages_are_hidden) {
  BOOST_TEST(logged("hello").empty());
}

BOOST_AUTO_TEST_CASE(messages_can_be_seen) {
  utf::unit_test_log.set_threshold_level(utf::log_messages);
  BOOST_TEST(logged("hello").find("hello") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_is_logged_without_a_message) {
  BOOST_TEST(true);
}

BOOST_AUTO_TEST_SUITE_END()
