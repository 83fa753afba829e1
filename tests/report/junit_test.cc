// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/run_report.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "tests/report/golden.h"
#include "tests/report/sample_facts.h"

namespace gordian {
namespace {

using namespace testing_support;
using K = OutcomeKind;

/// Parses it back; a malformed document is a failure.
pugi::xml_node parsed(pugi::xml_document& document, const std::string& xml) {
  pugi::xml_parse_result result = document.load_buffer(xml.data(), xml.size());
  EXPECT_TRUE(result) << result.description() << " in\n" << xml;
  return document.child("testsuites");
}

TEST(Junit, WholeDocument) {
  RunFacts facts = sample_run({K::pass, K::fail, K::skip, K::crash, K::not_run});
  facts.orders[0].runs[2].outcome.message = "no network";
  facts.orders[0].runs[3].output = "<before> & after\n";
  facts.header.started_unix_ms = 1'700'000'000'000;
  expect_golden("junit.xml", junit_xml({&facts, 1}));
}

TEST(Junit, EachOutcomeHasItsElement) {
  RunFacts facts = sample_run({K::pass, K::fail, K::crash, K::timeout, K::exit, K::lost, K::skip});
  pugi::xml_document document;
  pugi::xml_node suite = parsed(document, junit_xml({&facts, 1})).child("testsuite");
  std::vector<std::string> elements;
  for (pugi::xml_node test : suite.children("testcase")) {
    elements.push_back(test.first_child().name());
  }
  EXPECT_EQ(elements, (std::vector<std::string>{"", "failure", "error", "error", "error", "error",
                                                "skipped"}));
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  EXPECT_EQ(suite.attribute("errors").as_int(), 4);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
  EXPECT_EQ(suite.attribute("tests").as_int(), 7);
}

TEST(Junit, HostileBytesStayWellFormed) {
  RunFacts facts = sample_run({K::fail});
  std::string all_bytes;
  for (int c = 0; c < 256; ++c) all_bytes += static_cast<char>(c);
  facts.orders[0].runs[0].output = all_bytes + "\ufffe]]>";
  facts.orders[0].runs[0].outcome.message = "\"<&>'\x01\n\xff";
  pugi::xml_document document;
  pugi::xml_node test =
      parsed(document, junit_xml({&facts, 1})).child("testsuite").child("testcase");
  std::string output = test.child_value("system-out");
  EXPECT_EQ(output.find('\x1b'), std::string::npos);
  EXPECT_NE(output.find("]]>"), std::string::npos);
  EXPECT_NE(std::string(test.child_value("failure")).find("\"<&>'\ufffd\n\ufffd"),
            std::string::npos);
}

TEST(Junit, LaterRepeatsAreNamedApart) {
  RunFacts facts = sample_run({K::pass});
  add_repeat(facts, {K::fail});
  pugi::xml_document document;
  pugi::xml_node root = parsed(document, junit_xml({&facts, 1}));
  pugi::xml_node first = root.first_child(), second = first.next_sibling();
  EXPECT_STREQ(first.attribute("name").value(), "Cart");
  EXPECT_STREQ(second.attribute("name").value(), "Cart (repeat 2)");
  EXPECT_STREQ(second.child("testcase").attribute("classname").value(), "Cart (repeat 2)");
  EXPECT_EQ(root.attribute("tests").as_int(), 2);
  auto repeat = second.child("properties").find_child_by_attribute("name", "repeat");
  EXPECT_STREQ(repeat.attribute("value").value(), "2");
}

TEST(Junit, SeveralBinariesAreNamedApart) {
  std::vector<RunFacts> runs = {sample_run({K::pass}), sample_run({K::pass})};
  runs[1].header.binary.path = "/b/shop_test";
  pugi::xml_document document;
  pugi::xml_node root = parsed(document, junit_xml(runs));
  EXPECT_STREQ(root.first_child().attribute("name").value(), "cart_test/Cart");
  EXPECT_STREQ(root.last_child().attribute("name").value(), "shop_test/Cart");
}

TEST(Junit, SuitesOfAnInterleavedOrderAreGathered) {
  RunFacts facts = sample_run({K::pass, K::pass, K::pass});
  std::vector<gordian::Test> tests = facts.suite.tests();
  tests[1].suite = "Shop";
  facts.suite = Suite(Framework::gtest, "", tests);
  pugi::xml_document document;
  pugi::xml_node root = parsed(document, junit_xml({&facts, 1}));
  EXPECT_EQ(root.first_child().attribute("tests").as_int(), 2);
  EXPECT_STREQ(root.last_child().attribute("name").value(), "Shop");
}

}  // namespace
}  // namespace gordian
