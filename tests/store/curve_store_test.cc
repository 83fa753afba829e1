// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/curve_store.h"

#include <gtest/gtest.h>

#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

const BinaryIdentity kBinary = {"/b/t", "b01d", "feed", 1};

class Curves : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto opened = CurveStore::open(dir_ / "db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_.emplace(std::move(*opened));
  }
  std::optional<CurveStore> store_;
};

TEST_F(Curves, ComeBackWholeWithTheDefaultOrderFirst) {
  const std::vector<ReportedCurve> curves = {
      {"T4", "statements", ~std::uint64_t{0}, {{3, 5, 5}, 9, 0.8125}},
      {"default", "statements", 0, {{1, 2, 5}, 9, 0.5}},
      {"default", "functions", 0, {{}, 0, 0}}};
  ASSERT_DONE(store_->save(kBinary, curves));
  auto loaded = store_->load(kBinary);
  ASSERT_DONE(loaded);
  ASSERT_EQ(loaded->size(), 3U);
  EXPECT_EQ((*loaded)[0].technique, "default");
  EXPECT_EQ((*loaded)[2].technique, "T4");
  EXPECT_EQ((*loaded)[2].seed, ~std::uint64_t{0});
  EXPECT_EQ((*loaded)[2].curve.covered, (std::vector<std::size_t>{3, 5, 5}));
  EXPECT_EQ((*loaded)[2].curve.rate, 0.8125);
}

TEST_F(Curves, TheLastOneOfATechniqueCountsAndOnlyOfThisBuild) {
  ASSERT_DONE(store_->save(kBinary, std::vector<ReportedCurve>{{"T4", "statements", 1, {{1}}}}));
  ASSERT_DONE(store_->save(kBinary, std::vector<ReportedCurve>{{"T4", "statements", 2, {{7}}}}));
  auto loaded = store_->load(kBinary);
  ASSERT_DONE(loaded);
  ASSERT_EQ(loaded->size(), 1U);
  EXPECT_EQ((*loaded)[0].seed, 2U);
  BinaryIdentity rebuilt = kBinary;
  rebuilt.sha256 = "beef";
  EXPECT_TRUE(store_->load(rebuilt)->empty());
}

}  // namespace
}  // namespace gordian::store_test
