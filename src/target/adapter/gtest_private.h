// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the adapter needs of GoogleTest (1.8 to 1.18) beyond its public interface: five private
// members of a test suite, all of them unchanged since 1.8. An explicit instantiation may name
// private members, so this is plain C++11; a version that renames one fails to compile.
#pragma once

#include <gtest/gtest.h>

#include <vector>

namespace gordian_agent {

#ifdef INSTANTIATE_TEST_SUITE_P
typedef testing::TestSuite GtestSuite;
inline int count_suites(const testing::UnitTest& all) {
  return all.total_test_suite_count();
}
inline const GtestSuite* suite_at(const testing::UnitTest& all, int i) {
  return all.GetTestSuite(i);
}
#else  // before 1.10 a suite is called a test case
typedef testing::TestCase GtestSuite;
inline int count_suites(const testing::UnitTest& all) {
  return all.total_test_case_count();
}
inline const GtestSuite* suite_at(const testing::UnitTest& all, int i) {
  return all.GetTestCase(i);
}
#endif

/// Whether the framework will run no test at all, as it decides once global set-up is over.
inline bool global_setup_forbids_tests() {
#ifdef GTEST_SKIP
  if (testing::Test::IsSkipped()) return true;
#endif
  return testing::Test::HasFatalFailure();
}

/// Defines reveal(Key) as the pointer to the private member that Key::Member describes.
template <class Key, typename Key::Member member>
struct Reveal {
  friend typename Key::Member reveal(Key) { return member; }
};

struct SuiteTests {
  typedef std::vector<testing::TestInfo*> GtestSuite::*Member;
  friend Member reveal(SuiteTests);
};
struct SuiteIndices {
  typedef std::vector<int> GtestSuite::*Member;
  friend Member reveal(SuiteIndices);
};
struct SuiteShouldRun {
  typedef bool GtestSuite::*Member;
  friend Member reveal(SuiteShouldRun);
};
struct SuiteRun {
  typedef void (GtestSuite::*Member)();
  friend Member reveal(SuiteRun);
};
struct SuiteClearResult {
  typedef void (GtestSuite::*Member)();
  friend Member reveal(SuiteClearResult);
};

template struct Reveal<SuiteTests, &GtestSuite::test_info_list_>;
template struct Reveal<SuiteIndices, &GtestSuite::test_indices_>;
template struct Reveal<SuiteShouldRun, &GtestSuite::should_run_>;
template struct Reveal<SuiteRun, &GtestSuite::Run>;
template struct Reveal<SuiteClearResult, &GtestSuite::ClearResult>;

}  // namespace gordian_agent
