// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The session of a build: runs orders of processes, each order in a private view of its own,
// several at a time. A test that crashes or hangs ends nobody but itself. Single-threaded; calls
// block.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "flow/external/external_access.h"
#include "model/run.h"
#include "runtime/powers.h"
#include "runtime/process/order_process.h"
#include "runtime/process/process_suite.h"
#include "runtime/process/process_view.h"
#include "runtime/session.h"

namespace gordian {

/// Orders put together by their common beginnings: one tree for each first test.
struct OrderTree {
  Order tests;        ///< of each position; the root is 0
  Branches branches;  ///< the positions that follow each
};

class OrderForest {
 public:
  explicit OrderForest(std::span<const Order> orders);

  const std::vector<OrderTree>& trees() const { return trees_; }
  /// What the order with this number did, from the runs of the trees by position.
  OrderRun run_of(std::size_t number, const Order& order, const std::vector<OrderRun>& trees) const;

 private:
  struct Path {
    std::size_t tree = 0;
    std::vector<std::uint32_t> positions;
  };
  std::uint32_t position_behind(OrderTree& tree, std::uint32_t position, TestId test);

  std::vector<OrderTree> trees_;
  std::vector<Path> paths_;
};

class ProcessRunner : public Session {
 public:
  /// Asks ctest for the suite. Without a private file system orders disturb each other: where this
  /// machine does not allow one that is an error, unless the options want none. Then one order runs
  /// at a time, in the real directories.
  static Result<std::unique_ptr<ProcessRunner>> open(const SessionRequest& request);

  const Suite& suite() const override { return suite_.suite(); }
  const ProcessSuite& processes() const { return suite_; }
  const Target& target() const override { return target_; }
  const BinaryIdentity& identity() const override { return identity_; }
  Isolation isolation() const override { return isolation_; }
  const std::vector<Notice>& notices() const override { return notices_; }
  bool private_fs() const override { return view_.has_value(); }
  const ProcessView* view() const { return view_ ? &*view_ : nullptr; }

  const std::vector<std::string>& fork_problems() const override { return no_problems_; }
  Result<std::vector<OrderRun>> run_forked(std::span<const Order> orders, Shape shape,
                                           RunListener& listener) override;
  Result<std::vector<OrderRun>> run_fresh(std::span<const Order> orders,
                                          RunListener& listener) override;

  /// Each in a view of its own, with what it declares before it: that is part of it, and the
  /// listener is not told of it.
  Result<std::vector<TestRun>> run_apart(std::span<const TestId> tests,
                                         RunListener& listener) override;
  CodeHashes hash_code() const override { return {suite_.code_hashes(), {}}; }
  Result<std::unique_ptr<FlowCollector>> collector(FlowSource source) override;

  /// One order with all that can be asked for.
  struct Extras {
    SyscallWatch* watch = nullptr;
    std::optional<PutBack> put_back;
    /// After each step, before the next: the position of its test, and a process in the view.
    std::function<void(std::size_t position, pid_t keeper)> at_hold;
  };
  Result<OrderRun> run_one(const Order& order, const Extras& extras);

 private:
  ProcessRunner(const SessionRequest& request, ProcessSuite suite, ResourceLocks locks);
  Status prepare_view();
  Result<std::vector<OrderRun>> run_trees(std::span<const Order> orders, RunListener& listener);
  Result<std::vector<OrderRun>> run_all(std::span<const Order> orders, bool last_only,
                                        RunListener& listener);
  Result<std::vector<OrderRun>> run_plans(std::span<const OrderPlan> plans, bool last_only,
                                          RunListener& listener);
  OrderPlan plan_for(const Order& order) const;

  Target target_;
  Isolation isolation_;
  ProcessSuite suite_;
  BinaryIdentity identity_;
  EngineOptions options_;
  ResourceLocks locks_;
  std::optional<ProcessView> view_;
  std::vector<Notice> notices_;
  std::vector<std::string> no_problems_;
};

// Which files, directories and peers each test of a build reads and writes: one run under
// flow/external, whose recorder sees the children of tests as well. And which of them carries a
// dependence: process_probe.cc.

/// What one order did to the outside, by position; fixtures count for their test. Names of files
/// are relative to the build directory, where they are below it.
struct RecordedOrder {
  OrderRun run;
  std::vector<ExternalTest> tests;
  std::vector<std::string> misses;
};

/// An error when nothing can be recorded here.
Result<RecordedOrder> record_order(ProcessRunner& runner, const Order& order);

class ProcessCollector : public FlowCollector {
 public:
  /// `runner` outlives it.
  explicit ProcessCollector(ProcessRunner& runner) : runner_(runner) {}

  Result<DataFlow> in_order(const Order& order) override;
  Result<DataFlow> alone(const Order& tests) override;

 private:
  Result<DataFlow> collect(std::span<const Order> orders, const Order& tests, bool alone);

  ProcessRunner& runner_;
};

/// A test changes files and talks to peers; what it leaves in memory ends with it.
Result<std::unique_ptr<StateProber>> process_prober(const Target& target,
                                                    const EngineOptions& engine);

}  // namespace gordian
