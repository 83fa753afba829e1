// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The zoo under the recorder: watching changes no outcome, and every dependence that files, the
// working directory or the umask carry is among the data dependences that are found.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "flow/external/external_recorder.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/native/syscall_watch.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class WatchedZoo : public ScratchDir {
 protected:
  void SetUp() override {
    if (std::string why = watch_obstacle(); !why.empty()) GTEST_SKIP() << why;
    const json verdicts = json::parse(std::ifstream(GORDIAN_ZOO_VERDICTS));
    for (const json& suite : verdicts["suites"]) {
      const std::string folder = suite["folder"];
      if (folder == "guilty" || folder == "clean") suites_.push_back(suite);
    }
    ASSERT_GT(suites_.size(), 100u);
  }

  /// Nothing when the suite is not to be driven by hooks.
  std::unique_ptr<Executor> open(const json& suite, SyscallWatch* watch) {
    Target target;
    target.binary = fs::path(GORDIAN_ZOO_BINARIES) / suite["folder"].get<std::string>() /
                    suite["name"].get<std::string>();
    target.working_dir = dir_;
    auto inspection = inspect(target);
    if (!inspection || !inspection->unhookable.empty()) return nullptr;
    ExecutorOptions options;
    options.watch = watch;
    options.limits.test_timeout = std::chrono::milliseconds(1000);
    auto opened = Executor::open(target, inspection->elf, inspection->framework, options);
    return opened ? std::move(*opened) : nullptr;
  }

  static Order order_of(const Executor& executor, const json& names) {
    Order order;
    for (const json& name : names) {
      order.push_back(*executor.suite().find(name.get<std::string>()));
    }
    return order;
  }

  static OrderRun run(Executor& executor, const Order& order) {
    RunListener silent;
    auto runs = executor.run_fresh({&order, 1}, silent);
    return runs ? runs->front() : OrderRun{};
  }

  std::vector<json> suites_;
};

TEST_F(WatchedZoo, OutcomesStayTheSame) {
  int compared = 0;
  for (const json& suite : suites_) {
    SCOPED_TRACE(suite["name"].get<std::string>());
    ExternalRecorder recorder;
    auto plain = open(suite, nullptr), watched = open(suite, &recorder);
    if (!plain || !watched) continue;
    const Order order = plain->suite().default_order();
    const OrderRun expected = run(*plain, order), got = run(*watched, order);
    ASSERT_EQ(got.runs.size(), expected.runs.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(got.runs[i].outcome.kind, expected.runs[i].outcome.kind)
          << plain->suite().test(order[i]).full_name() << ": " << got.runs[i].outcome.message;
    }
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

bool carried_outside(const json& dependence) {
  const std::string kind = dependence["carrier"]["kind"];
  return kind == "file" || kind == "cwd" || kind == "umask";
}

TEST_F(WatchedZoo, WhatFilesCarryIsFound) {
  int found = 0;
  for (const json& suite : suites_) {
    for (const json& dependence : suite.value("dependences", json::array())) {
      if (!carried_outside(dependence)) continue;
      SCOPED_TRACE(suite["name"].get<std::string>());
      ExternalRecorder recorder;
      auto executor = open(suite, &recorder);
      ASSERT_TRUE(executor);
      const Order order = order_of(*executor, dependence["witness"]);
      run(*executor, order);
      auto tests = recorder.take();
      FlowBuilder builder(FlowSource::watch, false);
      for (std::size_t i = 0; i < order.size(); ++i) {
        builder.begin(order[i]);
        if (const ExternalTest* test = find_test(tests, i)) add_to(builder, *test);
      }
      const DataFlow flow = builder.take();
      ASSERT_FALSE(flow.dependences.empty());
      EXPECT_EQ(flow.dependences.back().reader, order.back());
      ++found;
    }
  }
  EXPECT_GE(found, 5);
}

}  // namespace
}  // namespace gordian
