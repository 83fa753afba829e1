// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One order of processes, from start to end. A keeper (a fork of ours) makes the private view, runs
// the steps of each test in it one after another and tells how each ended:
//
//   1. the keeper enters the view, becomes the parent of all orphans, and waits for nobody;
//   2. for each step: takes its locks, starts it in a process group of its own, tells its number,
//      waits for its end or ends it, tells how it ended; what it left running goes on, as with
//      ctest, until the order ends;
//   3. with `watch` or `holds`, the keeper waits for our word after each step, so that files can be
//      looked at before the next one changes them;
//   4. where the plan branches, a fork of the keeper with one more layer runs each branch but the
//      last, one after another, while the layers below stay as they are;
//   5. at the end of the order, at our SIGTERM or at our death it ends all that is left.
//
// Outputs go to one file in memory, by which place tells whose they are.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "ctest/ctest.h"
#include "model/outcome.h"
#include "runtime/engine_options.h"
#include "runtime/native/syscall_watch.h"
#include "runtime/order_runner.h"
#include "runtime/process/process_suite.h"
#include "runtime/process/process_view.h"

namespace gordian {

/// How a process came to its end.
struct ProcessEnd {
  int wait_status = 0;  ///< as of waitpid()
  bool timed_out = false;
  bool printed_too_much = false;
  int start_error = 0;       ///< errno: it could not be started
  std::string missing_file;  ///< of REQUIRED_FILES; it was not started
};

/// What ctest would say about a process that has ended: by its status, its output and the
/// properties of its test. Pure. A failure's fingerprint is the first failed assertion if the
/// output shows one, else the exit code; other words of the output may change from run to run and
/// stand in later lines.
Outcome ctest_outcome(const CtestEntry& test, const ProcessEnd& end, std::string_view output);

/// Of real resources, which the private view does not multiply: one file in memory per lock.
class ResourceLocks {
 public:
  static Result<ResourceLocks> make(const ProcessSuite& suite);
  /// Blocks. In the keeper: returns what holds the locks, closed to give them back.
  std::vector<UniqueFd> take(const CtestEntry& entry) const;

 private:
  UniqueFd alone_;  ///< shared by all, exclusive for RUN_SERIAL
  std::vector<std::pair<std::string, UniqueFd>> named_;
};

/// What is done to files just before a position of the order.
struct PutBack {
  std::size_t position = 0;
  std::vector<FileKey> files;  ///< as of ProcessView::put_back()
};

/// Which positions follow a position; empty for all: the next one.
using Branches = std::vector<std::vector<std::uint32_t>>;

struct OrderPlan {
  const ProcessSuite& suite;
  const Order& order;  ///< with branches: the test of each position, the first one is the root
  const ProcessView* view = nullptr;  ///< nullptr: the real files
  const ResourceLocks& locks;
  Limits limits;
  SyscallWatch* watch = nullptr;
  std::optional<PutBack> put_back;
  bool holds = false;  ///< waits after each step until go_on()
  /// Not with `watch`, `put_back` or `holds`.
  const Branches* branches = nullptr;
};

/// Told by the keeper; plain bytes through a pipe.
struct StepEvent {
  enum Kind : std::uint32_t { begins, ended, passed_over, trouble } kind = begins;
  std::uint32_t position = 0, step = 0;
  std::uint32_t is_test = 0;  ///< not a set-up or clean-up
  pid_t pid = -1;
  int wait_status = 0, start_error = 0;
  std::uint32_t timed_out = 0, printed_too_much = 0, missing_file = 0;  ///< 1 + which
  std::uint64_t output_begin = 0, output_end = 0;
  std::int64_t duration_ns = 0;
  int left_children = 0;
  std::uint32_t failed_step = 0;  ///< passed_over: the set-up that failed
};

/// REQUIRES: the event is the end of a step with this entry.
ProcessEnd end_of(const StepEvent& event, const CtestEntry& entry);
/// Of the file that all steps print to: enough of it for any sensible expression.
std::string output_between(int file, std::uint64_t begin, std::uint64_t end);

/// The project's own word for a test, else ctest's TIMEOUT, else what goes for all. 0: none.
std::chrono::nanoseconds time_limit(const OrderPlan& plan, const StepEvent& event);

class OrderProcess {
 public:
  static Result<std::unique_ptr<OrderProcess>> start(const OrderPlan& plan);
  /// Ends what is left of it.
  ~OrderProcess();
  OrderProcess(const OrderProcess&) = delete;
  OrderProcess& operator=(const OrderProcess&) = delete;

  /// Readable when there is something for take_events(); -1: nothing more will come.
  int event_fd() const { return events_.get(); }
  int channel_fd() const { return channel_.get(); }  ///< likewise; -1 if not watched
  void take_events();
  /// To be called from time to time. The keeper ends what takes too long; a keeper that a test has
  /// stopped is let go, and one that does nothing all the same is ended with its order.
  void look_after();

  const OrderRun& run() const { return run_; }
  /// One step stands between its end and go_on().
  bool is_held() const { return held_; }
  std::size_t held_position() const { return held_position_; }
  void go_on();
  pid_t keeper() const { return keeper_; }

  bool is_over() const { return !events_.valid(); }
  /// What kept the order from being run to its end; empty: nothing did.
  const std::string& trouble() const { return trouble_; }
  std::optional<RunningTest> running() const;
  /// Tests that have ended since the last time, by position.
  std::vector<std::size_t> take_finished();

 private:
  struct Watched;
  OrderProcess(const OrderPlan& plan, UniqueFd output);
  void take(const StepEvent& event);
  void take_listener();
  void try_to_watch();
  void close();

  OrderPlan plan_;
  OrderRun run_;
  UniqueFd output_, events_, channel_, go_;
  pid_t keeper_ = -1;
  std::string partial_;  ///< of an event
  std::unique_ptr<Watched> watched_;
  bool held_ = false;
  std::size_t held_position_ = 0;
  std::optional<std::pair<TestId, std::chrono::steady_clock::time_point>> running_;
  StepEvent begun_;  ///< of what is running
  std::chrono::steady_clock::time_point woken_{};
  std::vector<std::size_t> finished_;
  std::string trouble_;
};

/// The keeper's ends of the channels. Descriptors stay the caller's.
struct KeeperChannels {
  int events = -1;    ///< StepEvent after StepEvent
  int output = -1;    ///< file in memory, for what tests print
  int go = -1;        ///< one byte: on with the next step
  int listener = -1;  ///< socket for seccomp listeners; -1: not watched
  const WatchFilter* filter = nullptr;
  pid_t parent = -1;
};

/// Runs the order. In a fork, for good.
[[noreturn]] void keep_order(const OrderPlan& plan, const KeeperChannels& channels);

}  // namespace gordian
