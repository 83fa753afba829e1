// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/shard_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gordian {
namespace {

using testing::HasSubstr;
using testing::Not;

/// "sets" and "reads; it"; the latter needs the former, and has a lock of its own.
CtestExport facts() {
  CtestExport facts;
  facts.binary.path = "/b";
  facts.names = {"sets", "reads; it", "spoils"};
  CtestEntry entry;
  entry.resource_lock = {"port"};
  entry.depends = {"boot"};
  facts.before["reads; it"] = entry;
  facts.before["spoils"] = entry;
  facts.rules.needs = {{TestId{1}, {TestId{0}}, DependenceId{3}}};
  facts.rules.after = {{TestId{1}, TestId{2}, DependenceId{4}}};
  facts.rules.locks = {{"/tmp/x", {TestId{1}, TestId{2}}}};
  facts.rules.unmet = {{TestId{0}, DependenceId{5}, "it cannot"}};
  return facts;
}

TEST(CtestScript, AddsToWhatTestsHave) {
  EXPECT_EQ(ctest_script(facts()),
            "# Written by gordian export --ctest for /b\n"
            "# Include it behind the tests: see docs/shard.md of Gordian.\n"
            "#\n"
            "# D4: reads; it runs before spoils\n"
            "# D3: reads; it needs sets before it, also with ctest -R\n"
            "# /tmp/x is used by 2 tests: one at a time\n"
            "# not safe, D5: sets: it cannot\n"
            "if(NOT DEFINED ENV{GORDIAN_WITHOUT_EXPORT})\n"
            "set_tests_properties([=[reads; it]=] PROPERTIES\n"
            "  FIXTURES_REQUIRED [=[gordian.D3]=]\n"
            "  RESOURCE_LOCK [=[port;gordian:/tmp/x]=])\n"
            "set_tests_properties([=[sets]=] PROPERTIES\n"
            "  FIXTURES_SETUP [=[gordian.D3]=])\n"
            "set_tests_properties([=[spoils]=] PROPERTIES\n"
            "  DEPENDS [=[boot;reads\\; it]=]\n"
            "  RESOURCE_LOCK [=[port;gordian:/tmp/x]=])\n"
            "endif()\n");
}

TEST(CtestScript, HostileNamesStayNames) {
  CtestExport hostile = facts();
  hostile.names[2] = "a]=]b\nmessage(hurt)";
  const std::string script = ctest_script(hostile);
  EXPECT_THAT(script, HasSubstr("set_tests_properties([==[a]=]b\nmessage(hurt)]==] PROP"));
  EXPECT_THAT(script, HasSubstr("# D4: reads; it runs before a]=]b"));
  EXPECT_THAT(script, Not(HasSubstr("# D4: reads; it runs before a]=]b\nmessage")));
}

TEST(CtestExportText, SaysWhatNoPropertyCanDo) {
  const std::string text = ctest_export_text(facts(), "out.cmake", {});
  EXPECT_THAT(text, HasSubstr("1 by DEPENDS, 1 by FIXTURES, 1 by RESOURCE_LOCK"));
  EXPECT_THAT(text, HasSubstr("Not safe  sets (D5): it cannot"));
  EXPECT_THAT(text, HasSubstr("Written  out.cmake"));
  EXPECT_THAT(ctest_export_text(facts(), "-", {}), Not(HasSubstr("Written")));
}

TEST(BazelScript, NamesSafeNumbersAndTags) {
  BazelTarget guilty;
  guilty.name = "shop\"tests";
  guilty.searched = guilty.order_dependent = guilty.shares_files = true;
  guilty.safe_counts = {1, 3};
  BazelTarget clean, unknown;
  clean.name = "clean_tests";
  clean.searched = clean.any_count = true;
  unknown.name = "new_tests";
  const std::string script = bazel_script({guilty, clean, unknown});
  EXPECT_THAT(script, HasSubstr("    \"shop\\\"tests\": [1, 3],\n"));
  EXPECT_THAT(script, HasSubstr("    \"shop\\\"tests\": [\"order-dependent\", \"exclusive\"],\n"));
  EXPECT_THAT(script, HasSubstr("    # never searched: new_tests\n"));
  EXPECT_THAT(script, Not(HasSubstr("clean_tests")));
}

TEST(BazelExportText, RangesOfNumbersAreShort) {
  BazelTarget target;
  target.name = "shop_tests";
  target.searched = true;
  for (const auto& [counts, text] :
       std::initializer_list<std::pair<std::vector<std::size_t>, const char*>>{
           {{1}, "shards: 1\n"},
           {{1, 3}, "shards: 1, 3\n"},
           {{1, 2, 4, 5, 6}, "shards: 1, 2, 4 to 6\n"},
           {{1, 3, 4, 5}, "shards: 1, 3 to 5\n"}}) {
    target.safe_counts = counts;
    EXPECT_THAT(bazel_export_text({target}, "-", {}), HasSubstr(text));
  }
}

}  // namespace
}  // namespace gordian
