// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A shop with one global price list. Prices.CanBeRaised leaves it changed, and Receipt.AddsUp fails
// after it: a victim and its polluter. Under ctest and Gordian each has a shop of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

std::map<std::string, int>& prices() {
  static std::map<std::string, int> list = {{"apple", 3}, {"pear", 4}};
  return list;
}

int total(const std::vector<std::string>& items) {
  int sum = 0;
  for (const std::string& item : items) sum += prices().at(item);
  return sum;
}

TEST(Prices, CanBeRaised) {
  prices()["apple"] = 5;
  EXPECT_EQ(total({"apple"}), 5);
}

TEST(Receipt, AddsUp) {
  EXPECT_EQ(total({"apple", "pear"}), 7);
}

TEST(Receipt, IsPrinted) {
  std::printf("apple %d\n", prices().at("apple"));
}

TEST(Receipt, UnknownItemEndsTheProgram) {
  EXPECT_DEATH(
      {
        std::fprintf(stderr, "no such item\n");
        std::abort();
      },
      "no such item");
}

TEST(Delivery, NeedsAVan) {
  GTEST_SKIP() << "there is no van";
}

TEST(Delivery, TakesAWhile) {
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

TEST(Delivery, DISABLED_ByDrone) {
  FAIL() << "not yet";
}

class Discount : public testing::TestWithParam<const char*> {};

TEST_P(Discount, IsKnown) {
  EXPECT_FALSE(std::string(GetParam()).empty());
}

INSTANTIATE_TEST_SUITE_P(Codes, Discount, testing::Values("ten % off", "2 for 1; today", "[vip]"));

template <class T>
class Counter : public testing::Test {};
using Numbers = testing::Types<int, unsigned long>;
TYPED_TEST_SUITE(Counter, Numbers);

TYPED_TEST(Counter, StartsAtZero) {
  EXPECT_EQ(TypeParam(), TypeParam{});
}

/// One line in the file $SHOP_STARTS for each start of this program that runs tests.
void note_start() {
  const char* path = std::getenv("SHOP_STARTS");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "a")) {
    std::fputs("started\n", file);
    std::fclose(file);
  }
}

}  // namespace

int main(int argc, char** argv) {
  note_start();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
