// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The unit tests' own main(): ctest, which sees one exit code for a whole suite, is told when a
// test of it was skipped (see cmake/suites.cmake), so that nothing is skipped silently.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace {
constexpr int kSkipped = 77;
}

int main(int argc, char** argv) {
  const bool tell_skipped = std::getenv("GORDIAN_TELL_SKIPPED") != nullptr;
  // Programs that tests start are not asked the same.
  unsetenv("GORDIAN_TELL_SKIPPED");
  testing::InitGoogleMock(&argc, argv);
  const int code = RUN_ALL_TESTS();
  const bool skipped = testing::UnitTest::GetInstance()->skipped_test_count() > 0;
  return code == 0 && skipped && tell_skipped ? kSkipped : code;
}
