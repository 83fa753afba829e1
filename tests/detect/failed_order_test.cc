// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/order_check.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gordian::detect_test {
namespace {

using Names = std::vector<std::string>;

Names parsed(const std::string& cases) {
  auto order = parse_failed_order(
      "<testsuites><testsuite name='x'>" + cases + "</testsuite></testsuites>", "report.xml");
  EXPECT_TRUE(order.ok()) << order.error().message;
  return order.ok() ? order->names : Names{};
}

TEST(FailedOrder, AsWrittenWithoutTimestamps) {
  EXPECT_EQ(parsed("<testcase classname='S' name='B'/><testcase classname='S' name='A'/>"),
            (Names{"S.B", "S.A"}));
}

TEST(FailedOrder, ByTimestampWhereEachTestHasItsOwn) {
  EXPECT_EQ(parsed("<testcase classname='S' name='A' timestamp='2024-01-01T10:00:00.200'/>"
                   "<testcase classname='S' name='B' timestamp='2024-01-01T10:00:00.100'/>"),
            (Names{"S.B", "S.A"}));
}

TEST(FailedOrder, TimestampsThatAreMissingDoNotReorder) {
  EXPECT_EQ(parsed("<testcase classname='S' name='B' timestamp='2024-01-01T10:00:00.200'/>"
                   "<testcase classname='S' name='A'/>"),
            (Names{"S.B", "S.A"}));
}

TEST(FailedOrder, TestsThatWereNotRunAreLeftOut) {
  EXPECT_EQ(parsed("<testcase classname='S' name='A' status='run' result='completed'/>"
                   "<testcase classname='S' name='DISABLED_B' status='notrun' result='suppressed'/>"
                   "<testcase classname='S' name='C' status='run' result='skipped'><skipped/>"
                   "</testcase>"),
            (Names{"S.A", "S.C"}));
}

TEST(FailedOrder, ParametrisedNamesAndNestedSuites) {
  auto order = parse_failed_order(
      "<testsuite><testsuite><testcase classname='I/P' name='Odd/1'><failure message='x'>"
      "<testcase classname='no' name='test'/></failure></testcase></testsuite>"
      "<testcase name='Plain.Name'/></testsuite>",
      "report.xml");
  ASSERT_TRUE(order.ok());
  EXPECT_EQ(order->names, (Names{"I/P.Odd/1", "Plain.Name"}));
}

TEST(FailedOrder, SaysWhatIsWrongWithAFile) {
  auto broken = parse_failed_order("<testsuite><testcase", "broken.xml");
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().kind, ErrorKind::usage);
  EXPECT_NE(broken.error().message.find("broken.xml"), std::string::npos);
  EXPECT_FALSE(parse_failed_order("", "empty.xml").ok());
  auto other = parse_failed_order("<html><body/></html>", "other.xml");
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("other.xml"), std::string::npos);
}

TEST(FailedOrder, FileThatIsNotThere) {
  auto order = read_failed_order("/no/such/report.xml");
  ASSERT_FALSE(order.ok());
  EXPECT_EQ(order.error().kind, ErrorKind::usage);
  EXPECT_NE(order.error().message.find("/no/such/report.xml"), std::string::npos);
}

}  // namespace
}  // namespace gordian::detect_test
