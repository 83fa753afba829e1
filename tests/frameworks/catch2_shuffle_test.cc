// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The expected orders were printed by Catch2 2.13.10 and 3.7.1 themselves, under --order rand with
// the same seeds and a program with these tests. tests/e2e/catch2.py compares with what is there.
#include <gtest/gtest.h>

#include "frameworks/framework_traits.h"

namespace gordian::detect_test {
namespace {

using Names = std::vector<std::string>;

gordian::Test test_called(std::string name, std::string tags = "", std::string fixture = "") {
  gordian::Test test;
  test.name = std::move(name);
  test.tags = std::move(tags);
  test.type_param = std::move(fixture);
  return test;
}

std::vector<gordian::Test> sample() {
  std::vector<gordian::Test> tests = {test_called("starts empty, \"quoted\" [x]", "[fast][io]"),
                                      test_called("increments", "[slow]"),
                                      test_called("sections", "[io]"),
                                      test_called("throws"),
                                      test_called("fails", "[slow]"),
                                      test_called("expl"),
                                      test_called("expected to fail", "[!shouldfail]"),
                                      test_called("expected to fail but does not", "[!shouldfail]"),
                                      test_called("may fail", "[!mayfail]"),
                                      test_called("hidden one", "[.][later]"),
                                      test_called("fixture", "", "Fix"),
                                      test_called("templ - int", "[tt]"),
                                      test_called("templ - long", "[tt]")};
  tests[9].will_run = false;
  return tests;
}

Names shuffled(const std::string& version, std::vector<gordian::Test> tests, std::uint32_t seed) {
  const Suite suite(Framework::catch2, version, std::move(tests));
  Names names;
  const Order order = traits_of(Framework::catch2).shuffle(suite, seed).value();
  for (TestId id : order) names.push_back(suite.test(id).name);
  return names;
}

TEST(Catch2Shuffle, Version2) {
  EXPECT_EQ(shuffled("2.13", sample(), 0),
            (Names{"throws", "templ - int", "starts empty, \"quoted\" [x]", "sections",
                   "templ - long", "fails", "fixture", "increments", "expl",
                   "expected to fail but does not", "may fail", "expected to fail"}));
  EXPECT_EQ(shuffled("2.13", sample(), 42),
            (Names{"throws", "fixture", "may fail", "increments", "starts empty, \"quoted\" [x]",
                   "expl", "expected to fail but does not", "sections", "fails", "templ - long",
                   "templ - int", "expected to fail"}));
  EXPECT_EQ(shuffled("2.13", sample(), 4294967295),
            (Names{"fails", "expected to fail but does not", "expl", "sections", "increments",
                   "starts empty, \"quoted\" [x]", "templ - long", "templ - int", "may fail",
                   "fixture", "expected to fail", "throws"}));
}

TEST(Catch2Shuffle, Version3LooksAtClassAndTagsToo) {
  auto tests = sample();
  tests.push_back(test_called("skips"));
  EXPECT_EQ(shuffled("3.7 or newer", tests, 1),
            (Names{"fixture", "templ - long", "fails", "templ - int",
                   "expected to fail but does not", "sections", "expl", "expected to fail", "skips",
                   "starts empty, \"quoted\" [x]", "increments", "may fail", "throws"}));
  EXPECT_EQ(shuffled("3.7 or newer", tests, 4294967295),
            (Names{"expected to fail", "templ - long", "fails", "expl", "increments", "templ - int",
                   "fixture", "may fail", "skips", "starts empty, \"quoted\" [x]", "sections",
                   "expected to fail but does not", "throws"}));
}

TEST(Catch2Shuffle, NamesMadeUniqueByTheirTagsCountAsInTheProgram) {
  const Names plain = shuffled("3", {test_called("a"), test_called("b"), test_called("c")}, 3);
  auto tests = std::vector<gordian::Test>{test_called("a"), test_called("b"), test_called("c"),
                                          test_called("a [x]", "[x]")};
  const Names all = shuffled("3", tests, 3);
  tests[3].name = "a";  // as the program has it
  Names with_duplicate = shuffled("3", tests, 3);
  EXPECT_EQ(all.size(), 4u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].substr(0, 1), with_duplicate[i]) << i;
  }
  EXPECT_EQ(plain.size(), 3u);
}

}  // namespace
}  // namespace gordian::detect_test
