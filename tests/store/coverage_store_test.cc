// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/coverage_store.h"

#include <gtest/gtest.h>

#include "store/encoding.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

const SearchedBuild kBuild = {"feed", "b01d", "lib"};

Target plain_target() {
  Target target;
  target.binary = "/b/t";
  target.args = {"--x"};
  return target;
}

CoverSet set_of(std::size_t size, std::initializer_list<std::size_t> units) {
  CoverSet set(size);
  for (std::size_t unit : units) set.add(unit);
  return set;
}

/// Coverage that says something in every field.
Coverage full() {
  Coverage coverage;
  coverage.statements.units = {{"/a.cc", 1, ""}, {"/a.cc", 2, ""}, {"/b \"c\".h", 7, ""}};
  coverage.statements.tests = {set_of(3, {0, 1}), set_of(3, {2})};
  coverage.functions.units = {{"/a.cc", 1, "f(int)"}, {"/b \"c\".h", 7, "g<char>()"}};
  coverage.functions.tests = {set_of(2, {0}), set_of(2, {})};
  coverage.source = "gcc --coverage";
  coverage.notices = {"one thing"};
  return coverage;
}

class Coverages : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto opened = CoverageStore::open(dir_ / "db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_.emplace(std::move(*opened));
  }
  std::optional<StoredCoverage> load(const Target& target, const SearchedBuild& build = kBuild,
                                     CoverageWay way = CoverageWay::alone) {
    auto loaded = store_->load(target, build, suite_, way);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? *loaded : std::nullopt;
  }
  Suite suite_ = numbered_suite(2);
  std::optional<CoverageStore> store_;
};

TEST_F(Coverages, ComeBackAsTheyWere) {
  ASSERT_TRUE(store_->save(plain_target(), kBuild, suite_, full()));
  auto stored = load(plain_target());
  ASSERT_TRUE(stored);
  const Coverage& coverage = stored->coverage;
  EXPECT_EQ(coverage.statements.tests, full().statements.tests);
  EXPECT_EQ(coverage.functions.tests, full().functions.tests);
  ASSERT_EQ(coverage.statements.units.size(), 3U);
  EXPECT_EQ(coverage.statements.units[2].file, "/b \"c\".h");
  EXPECT_EQ(coverage.statements.units[2].line, 7);
  EXPECT_EQ(coverage.functions.units.at(1).function, "g<char>()");
  EXPECT_EQ(coverage.source, "gcc --coverage");
  EXPECT_EQ(coverage.notices, std::vector<std::string>{"one thing"});
}

TEST_F(Coverages, OfAnotherBuildOrWayOrStartAreNotFound) {
  ASSERT_TRUE(store_->save(plain_target(), kBuild, suite_, full()));
  EXPECT_FALSE(load(plain_target(), {"f00d", "b01d", "lib"}));
  EXPECT_FALSE(load(plain_target(), {"feed", "b01d", "other"}));
  EXPECT_FALSE(load(plain_target(), kBuild, CoverageWay::in_order));
  Target other = plain_target();
  other.args = {"--y"};
  EXPECT_FALSE(load(other));
}

TEST_F(Coverages, TheLastOneCounts) {
  ASSERT_TRUE(store_->save(plain_target(), kBuild, suite_, full()));
  Coverage second = full();
  second.statements.tests[1].add(0);
  ASSERT_TRUE(store_->save(plain_target(), kBuild, suite_, second));
  EXPECT_EQ(load(plain_target())->coverage.statements.tests, second.statements.tests);
}

TEST(PackedRows, RunsOfUnits) {
  const std::vector<CoverSet> rows = {set_of(300, {0, 1, 2, 200, 299}), set_of(300, {}),
                                      set_of(300, {150})};
  const auto bytes = pack_rows(rows);
  EXPECT_EQ(unpack_rows(bytes, 3, 300), rows);
  EXPECT_LT(bytes.size(), 16U);
}

TEST(PackedRows, DamageIsNoRow) {
  const auto bytes = pack_rows(std::vector{set_of(300, {5, 6, 299})});
  EXPECT_FALSE(unpack_rows(bytes, 2, 300));                                     // too few rows
  EXPECT_FALSE(unpack_rows(bytes, 1, 299));                                     // a unit too many
  EXPECT_FALSE(unpack_rows(std::span(bytes).first(bytes.size() - 1), 1, 300));  // cut off
  const std::vector<std::byte> endless(12, std::byte{0xff});
  EXPECT_FALSE(unpack_rows(endless, 1, 300));
}

}  // namespace
}  // namespace gordian::store_test
