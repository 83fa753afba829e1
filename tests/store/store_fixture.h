// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the tests of the store share: a directory of their own, a small suite, a run over it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "store/run_store.h"

namespace gordian::store_test {

/// Gives each test an empty directory and removes it afterwards.
class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "gordian-store-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override {
    std::error_code ec;
    std::filesystem::remove_all(dir_, ec);
  }

  std::filesystem::path dir_;
};

inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::filesystem::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

/// Tests "S.T0", "S.T1", ... in the default order.
inline Suite numbered_suite(std::size_t size) {
  std::vector<gordian::Test> tests;
  for (std::size_t i = 0; i < size; ++i) {
    tests.push_back({"S", fmt::format("T{}", i), "/src/project/tests/module/some_feature_test.cc",
                     static_cast<int>(10 * i), "", "", false, true});
  }
  return Suite(Framework::gtest, "1.12.1", std::move(tests));
}

inline RunHeader plain_header() {
  RunHeader header;
  header.binary = {"/build/a_test", "b01d", "5ac0ffee", 4096};
  header.target.binary = "/build/a_test";
  header.target.working_dir = "/build";
  header.order_spec = "default";
  return header;
}

inline PositionedRun passed(std::size_t position, TestId test) {
  PositionedRun result;
  result.position = position;
  result.run.test = test;
  result.run.outcome.kind = OutcomeKind::pass;
  result.run.duration = std::chrono::nanoseconds(1000 + position);
  return result;
}

/// A passing result for each position in [from, to).
inline std::vector<PositionedRun> passes(const Order& order, std::size_t from, std::size_t to) {
  std::vector<PositionedRun> results;
  for (std::size_t i = from; i < to; ++i) results.push_back(passed(i, order[i]));
  return results;
}

/// Runs `body` in a child process, which ends with 0 when it returned true; gives the child's pid.
template <class Body>
pid_t in_child(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body() ? 0 : 1);
  return child;
}

/// The exit code of a child, or -1 when a signal ended it.
inline int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace gordian::store_test

/// For what must succeed before a test can go on.
#define ASSERT_DONE(expression)                     \
  do {                                              \
    const auto& done = (expression);                \
    ASSERT_TRUE(done.ok()) << done.error().message; \
  } while (false)
