// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// main() of the suites that bench/trace measures. In a traced build, and with BENCH_TELL in the
// environment, it says where tests begin, as the agent does it in a collection: the program
// records, with nobody else in the process. With BENCH_RUN a failed test is no failure: some depend
// on how quick a thread is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

extern "C" __attribute__((weak)) void gordian_trace_test(std::int32_t test);

namespace {

class Teller : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { gordian_trace_test(next_++); }
  std::int32_t next_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (gordian_trace_test != nullptr && std::getenv("BENCH_TELL") != nullptr) {
    testing::UnitTest::GetInstance()->listeners().Append(new Teller);
  }
  const int failed = RUN_ALL_TESTS();
  return std::getenv("BENCH_RUN") != nullptr ? 0 : failed;
}
