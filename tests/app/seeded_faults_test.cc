// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/seeded_faults.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

Result<std::vector<ListedFault>> parse(std::string_view text) {
  return parse_fault_list(text, "faults", "/lists");
}

TEST(SeededFaults, AreSwitchedOnByVariablesOrBuilds) {
  auto faults = parse(
      "# seeded by hand\n"
      "off by one: FAULT=1\n"
      "\n"
      "no flush : LEVEL=2 WHAT=a=b ../faulty/queue_test\r\n"
      "absolute: /opt/t\n");
  ASSERT_TRUE(faults.ok()) << faults.error().message;
  ASSERT_EQ(faults->size(), 3U);
  EXPECT_EQ((*faults)[0].name, "off by one");
  EXPECT_EQ((*faults)[0].env, (std::vector<EnvChange>{{"FAULT", "1"}}));
  EXPECT_TRUE((*faults)[0].binary.empty());
  EXPECT_EQ((*faults)[1].name, "no flush");
  EXPECT_EQ((*faults)[1].env, (std::vector<EnvChange>{{"LEVEL", "2"}, {"WHAT", "a=b"}}));
  EXPECT_EQ((*faults)[1].binary, "/faulty/queue_test");
  EXPECT_EQ((*faults)[1].command, "LEVEL=2 WHAT=a=b ../faulty/queue_test");
  EXPECT_EQ((*faults)[2].binary, "/opt/t");
}

TEST(SeededFaults, APathMayHaveAnEqualsSign) {
  auto faults = parse("odd: ./a=b/t\n");
  ASSERT_TRUE(faults.ok());
  EXPECT_EQ((*faults)[0].binary, "/lists/a=b/t");
}

TEST(SeededFaults, BadLinesAreNamed) {
  for (const char* text : {"no colon\n", ": FAULT=1\n", "name:\n", "name: a b\n"}) {
    auto faults = parse(std::string("fine: F=1\n") + text);
    ASSERT_FALSE(faults.ok()) << text;
    EXPECT_EQ(faults.error().kind, ErrorKind::usage);
    EXPECT_NE(faults.error().message.find("faults:2"), std::string::npos) << text;
  }
  EXPECT_FALSE(parse("# nothing\n").ok());
}

TEST(SeededFaults, AListThatIsNotThereIsSaid) {
  auto faults = read_fault_list("/nonexistent/list");
  ASSERT_FALSE(faults.ok());
  EXPECT_EQ(faults.error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace gordian
