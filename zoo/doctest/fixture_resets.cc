// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A fixture counts itself in a global and takes it back.
#include <doctest/doctest.h>

int g_open_files = 0;

struct Files {
  Files() { ++g_open_files; }
  ~Files() { --g_open_files; }
};

TEST_CASE_FIXTURE(Files, "one file is open") {
  CHECK(g_open_files == 1);
}

TEST_CASE_FIXTURE(Files, "still one") {
  Files another;
  CHECK(g_open_files == 2);
}

TEST_CASE("none without the fixture") {
  CHECK(g_open_files == 0);
}
