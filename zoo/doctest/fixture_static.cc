// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A static member of a fixture that one test empties.
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

TEST_CASE_FIXTURE(Pool, "has items") {
  REQUIRE(!free_list.empty());  // READ
  CHECK(free_list.front() == 1);
}

TEST_CASE_FIXTURE(Pool, "hands out all it has") {
  while (take() >= 0) {
  }
  CHECK(free_list.empty());
}

TEST_CASE_FIXTURE(Pool, "never has more than two") {
  CHECK(free_list.size() <= 2);
}

TEST_SUITE_END();
