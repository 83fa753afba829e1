// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs any orders of one test binary. The order algorithms, `run` and `replay` all stand on this.
// Single-threaded; calls block until the orders are done, with events going to the listener.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/run.h"
#include "runtime/engine_options.h"
#include "runtime/native/held_process.h"
#include "runtime/native/private_fs.h"
#include "runtime/native/target_process.h"
#include "runtime/native/watchdog.h"
#include "runtime/order_runner.h"
#include "symbols/elf_file.h"
#include "symbols/framework_detection.h"

namespace gordian {

/// What only the agent can do, besides.
struct ExecutorOptions : EngineOptions {
  ExecutorOptions() = default;
  ExecutorOptions(EngineOptions options)  // NOLINT: whoever runs orders need not know of the rest
      : EngineOptions(std::move(options)) {}

  bool snapshots = false;       ///< go back in time in place of forking, where that is sound
  bool same_addresses = false;  ///< every start of the binary has the same layout of memory
  bool debuggable = false;      ///< let a debugger attach to its processes
  /// Is told the system calls of all its processes; outlives the executor. No snapshots then, since
  /// a process that goes back in time would have to tell the past again, and one job: what is done
  /// to shared files at the same time cannot be told apart.
  SyscallWatch* watch = nullptr;
  gordian_wire::Hooks hook_offsets{};  ///< if known from inspecting the binary; saves reading it
};

class PlanProgress;

class Executor : public OrderRunner {
 public:
  /// The longest plan; an order must be a quarter of it at most.
  static constexpr std::uint32_t kServerTokens = 1u << 20;

  /// Starts the binary once, to the state before its first test. An error says why it cannot be
  /// driven by hooks.
  static Result<std::unique_ptr<Executor>> open(const Target& target, const ElfFacts& facts,
                                                const FrameworkFinding& framework,
                                                ExecutorOptions options);

  /// Lets the framework tear its environments down in the process that set them up.
  ~Executor() override;

  /// The tests of a binary, without running its global set-up.
  static Result<Suite> list(const Target& target, const ElfFacts& facts,
                            const FrameworkFinding& framework, ExecutorOptions options);

  const Suite& suite() const override { return suite_; }
  const std::vector<Notice>& notices() const { return notices_; }
  /// Absolute path of the binary.
  std::string executable() const;
  bool private_fs() const { return private_fs_.has_value(); }

  const std::vector<std::string>& fork_problems() const override { return fork_problems_; }
  /// Why its processes cannot go back to a snapshot (forks are used instead); empty when they can,
  /// or were not asked to.
  const std::string& snapshot_problem() const { return snapshot_problem_; }
  /// How snapshots find what was written: "userfaultfd", "pagemap"; empty without snapshots.
  const std::string& snapshot_backend() const { return snapshot_backend_; }
  /// Rollbacks whose memory was compared, with options.verify_snapshots.
  std::uint64_t verified() const { return verified_; }

  /// Where a shared prefix cannot be forked faithfully (threads, children or files left by it), its
  /// orders are run flat.
  Result<std::vector<OrderRun>> run_forked(std::span<const Order> orders, Shape shape,
                                           RunListener& listener) override;
  Result<std::vector<OrderRun>> run_fresh(std::span<const Order> orders,
                                          RunListener& listener) override;

  /// Called when the process waits before a test; it goes on when this returns, unless that was
  /// done already.
  using AtHold = std::function<void(HeldProcess& held)>;
  struct HoldPoint {
    std::size_t position = 0;  ///< of the test, in its order
    bool inside = false;       ///< after the set-up of its suite, not before
  };
  /// One order in a fork (in a fresh process where forks are no faithful copies), stopping at each
  /// of these points, at most three. `every`: wire::HoldEvery, for more of them; after the last
  /// test the position is the length of the order.
  Result<OrderRun> run_held(const Order& order, std::span<const HoldPoint> points,
                            const AtHold& at_hold, std::uint32_t every = 0);
  /// Where a process of run_held_each() waits.
  struct EachHold {
    HeldProcess& process;
    std::size_t order = 0;
    std::size_t position = 0;  ///< of the next test; the size of the order at its end
  };
  using AtEachHold = std::function<void(const EachHold& hold)>;
  /// Each order in a fork of its own, one after the other, stopping before every test and at the
  /// end. Where forks are no faithful copies each order gets a fresh process, and there is no stop
  /// at the end.
  /// `more`: wire::HoldEvery, besides these stops.
  Result<std::vector<OrderRun>> run_held_each(std::span<const Order> orders,
                                              const AtEachHold& at_hold, std::uint32_t more = 0);
  /// The process that stands before its first test and is forked by these runs, where forks are
  /// faithful copies. What is changed in its memory now is so in all of them, until it is gone.
  Result<pid_t> standing_process();
  /// One order in a fresh process, which stops before its last test and where it crashes. False: it
  /// did not crash. The process goes on when the calls return.
  Result<bool> run_to_crash(const Order& order, const std::function<void(pid_t)>& before_last,
                            const std::function<void(pid_t)>& at_crash);
  /// A process that stands before its first test, the caller's from now on. REQUIRES: it ends
  /// before this object does.
  Result<std::unique_ptr<TargetProcess>> take_process();

  /// Runs `order` again. Empty when it does not crash again.
  bool is_final(const Outcome& lost) const override { return is_refusal(lost); }
  std::vector<StackFrame> crash_stack(const Order& order) override;

 private:
  struct FreshRun;
  Executor(Target target, ElfFacts facts, Framework framework, ExecutorOptions options);

  LaunchSpec launch_spec(std::uint32_t workers, std::uint32_t tokens) const;
  Result<std::unique_ptr<TargetProcess>> start_ready(const LaunchSpec& spec);
  Status wait_until_ready(TargetProcess& process);
  Error start_failure(const TargetProcess& process) const;
  Status ensure_server();
  Result<std::unique_ptr<TargetProcess>> start_fresh(const Plan& plan);
  Status read_suite(const TargetProcess& process, const FrameworkFinding& framework);
  void judge_fork();
  void judge_snapshots();
  void take_differences(const Plan& plan);
  Status prepare();
  Status prepare_private_fs();

  struct ForkJob {
    std::size_t index;  ///< of the order
    bool flat;
    int tries;                    ///< in a plan of its own
    std::size_t most = SIZE_MAX;  ///< orders that may share its plan
  };
  static std::vector<OrderRun> unrun(std::span<const Order> orders);
  std::vector<ForkJob> take_batch(std::span<const Order> orders, std::vector<ForkJob>& jobs) const;
  /// Who is told, and how far all batches together have come.
  struct Telling {
    RunListener& listener;
    std::size_t total = 0, done = 0;
    std::vector<std::size_t> lost{};  ///< orders whose results forks do not bring back
  };
  Status run_lost(std::span<const Order> orders, std::vector<OrderRun>& results, Telling& telling);
  Result<std::vector<ForkJob>> run_batch(std::span<const Order> orders,
                                         const std::vector<ForkJob>& batch,
                                         std::vector<OrderRun>& results, Telling& telling);
  Result<std::unique_ptr<FreshRun>> begin_fresh(std::size_t index, const Order& order,
                                                RunListener& listener);
  void step_fresh(FreshRun& run);
  void end_fresh(FreshRun& run, OrderRun& result);
  using FreshRuns = std::vector<std::unique_ptr<FreshRun>>;
  Status begin_more(std::span<const Order> orders, std::size_t& next, FreshRuns& running,
                    RunListener& listener);
  struct Vanished {
    std::size_t index;       ///< of the order
    std::vector<bool> told;  ///< by position
  };
  static Vanished keep_told(const FreshRun& run, OrderRun& result);
  Status run_again_alone(const Vanished& vanished, OrderRun& result, RunListener& listener);
  void recover_results(OrderRun& result);

  /// `at_hold` is told by which token the process waits.
  using AtToken = std::function<void(HeldProcess& held, std::uint32_t token)>;
  std::vector<OrderRun> drive_held(
      TargetProcess& process, const Plan& plan, std::span<const Order> orders,
      const AtToken& at_hold, const std::function<void()>& at_each_look = [] {});
  Result<std::vector<OrderRun>> run_held_fresh(std::span<const Order> orders,
                                               const AtEachHold& at_hold, std::uint32_t more);
  /// One plan to its end (or to a stop, or to the server's death).
  ProcessState drive(const Plan& plan, Decoder& decoder, PlanProgress& progress,
                     const Telling& telling);

  Target target_;
  ElfFacts facts_;
  ExecutorOptions options_;
  std::filesystem::path agent_;
  std::optional<PrivateFs> private_fs_;
  HookAddresses addresses_;
  std::unique_ptr<TargetProcess> server_;
  bool server_untouched_ = false;
  Suite suite_;
  std::vector<Notice> notices_;
  std::vector<std::string> fork_problems_;
  std::uint32_t avoided_backends_ = 0;
  std::string snapshot_problem_, snapshot_backend_;
  std::uint64_t verified_ = 0;
};

}  // namespace gordian
