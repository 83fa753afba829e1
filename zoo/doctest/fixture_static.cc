// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <doctest/doctest.h>

#include <vector>

struct Pool {
  static std::vector<int> free_list;
  int take() {
    if (free_list.empty()) return -1;
    int item = free_list.back();
    free_list.pop_back();  // WRITE
    return item;
  }
};

std::vector<int> Pool::free_list = {1, 2};

TEST_SUITE_BEGIN("pool");

TEST_CASE_FIXTURE(Pool, "hands out two items") {
  CHECK(take() == 2);
  CHECK(take() == 1);
}

TEST_CASE_FIXTURE(Pool, "still has one") {
  REQUIRE(!free_list.empty());  // READ
  CHECK(free_list.front() == 1);
}

TEST_CASE_FIXTURE(Pool, "knows its items") { CHECK(free_list.size() <= 2); }

TEST_SUITE_END();
