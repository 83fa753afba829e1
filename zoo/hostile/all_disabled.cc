// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test binary in which every test is disabled.
#include <gtest/gtest.h>

TEST(Idle, DISABLED_First) {
  FAIL() << "must not run";
}

TEST(DISABLED_Idle, Second) {
  FAIL() << "must not run";
}
