// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/cmake_script.h"

#include <gtest/gtest.h>

namespace gordian::batch {
namespace {

Test test_called(std::string suite, std::string name) {
  gordian::Test test;
  test.suite = std::move(suite);
  test.name = std::move(name);
  return test;
}

TEST(CtestNames, PlainTestsKeepTheirs) {
  EXPECT_EQ(ctest_name(test_called("A", "B"), {}), "A.B");
  EXPECT_EQ(ctest_name(test_called("A", "B"), {"p.", "@x", true, true}), "p.A.B@x");
}

TEST(CtestNames, DisabledIsAPropertyNotAName) {
  EXPECT_EQ(ctest_name(test_called("A", "DISABLED_B"), {}), "A.B");
  EXPECT_EQ(ctest_name(test_called("DISABLED_A", "B"), {}), "A.B");
}

TEST(CtestNames, ValuesTakeThePlaceOfNumbers) {
  gordian::Test test = test_called("All/Parity", "IsEven/12");
  test.value_param = "\"a;b\"";
  EXPECT_EQ(ctest_name(test, {}), "All/Parity.IsEven/\"a;b\"");
  EXPECT_EQ(ctest_name(test, {"", "", true, false}), "All/Parity.IsEven/12");
}

TEST(CtestNames, ValuesBehindNamesStandAsPrinted) {
  gordian::Test test = test_called("All/Parity", "IsEven/Two");
  test.value_param = "2";
  EXPECT_EQ(ctest_name(test, {}), "All/Parity.IsEven/Two  # GetParam() = 2");
}

TEST(CtestNames, TypesStandInBrackets) {
  gordian::Test test = test_called("Stack/1", "Holds");
  test.type_param = "unsigned long";
  EXPECT_EQ(ctest_name(test, {}), "Stack.Holds<unsigned long>");
  EXPECT_EQ(ctest_name(test, {"", "", false, true}), "Stack.Holds<1>");
}

TEST(CtestScript, NamesTestAndList) {
  gordian::Test semicolon = test_called("All/P", "T/0"), bracket = semicolon;
  semicolon.value_param = "a;b";
  bracket.value_param = "[";
  bracket.disabled = true;
  EXPECT_EQ(discovered_script({semicolon, bracket}, {}, "all"),
            "gordian_add_discovered_test([=[All/P.T/a;b]=] [=[All/P.T/0]=] FALSE)\n"
            "gordian_add_discovered_test([=[All/P.T/[]=] [=[All/P.T/0]=] TRUE)\n"
            "set(all [=[All/P.T/a\\;b]=])\n");
}

}  // namespace
}  // namespace gordian::batch
