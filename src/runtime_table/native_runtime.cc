// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime_table/rows.h"

#include <fmt/format.h>

#include <future>
#include <utility>

#include "base/sha256.h"
#include "coverage/native/collect.h"
#include "explain/native/native_probe.h"
#include "flow/open_collector.h"
#include "frameworks/framework_traits.h"
#include "runtime/native/debug_session.h"
#include "runtime/native/executor.h"
#include "runtime/native/flags_driver.h"
#include "runtime/native/inspect.h"
#include "runtime/native/isolation.h"
#include "symbols/code_hash.h"
#include "symbols/framework_detection.h"

namespace gordian {
namespace {

bool is_driven_by_flags(const Inspection& inspection) {
  const FrameworkTraits* traits = find_traits(inspection.framework.framework);
  return traits != nullptr && traits->driven_by_flags;
}

/// What we know to do without the agent is in the framework's own words.
Status check_flags_known(const Inspection& inspection, const Target& target,
                         const std::string& why) {
  if (is_driven_by_flags(inspection)) return {};
  return target_error(fmt::format("{} cannot be driven: {}", target.binary.string(), why),
                      "keep its symbol table, and link it dynamically");
}

Error no_orders_error(const Inspection& inspection) {
  return target_error("orders cannot be controlled: " + inspection.unhookable,
                      is_driven_by_flags(inspection)
                          ? ""
                          : "keep its symbol table; or let each of its ctest tests be a process: "
                            "gordian detect BUILD --level process");
}

class NativeSession : public Session {
 public:
  static Result<std::unique_ptr<Session>> open(SessionRequest request);

  const Suite& suite() const override { return suite_; }
  const Target& target() const override { return target_; }
  const BinaryIdentity& identity() const override { return identity_; }
  Isolation isolation() const override { return isolation_; }
  const std::vector<Notice>& notices() const override;
  bool private_fs() const override { return executor_ && executor_->private_fs(); }
  Control control() const override { return executor_ ? Control::hooks : Control::flags; }
  std::string snapshot_backend() const override {
    return isolation_ == Isolation::snapshot ? executor_->snapshot_backend() : "";
  }
  Status check_order(const Order& order) const override;

  const std::vector<std::string>& fork_problems() const override {
    return executor_ ? executor_->fork_problems() : why_flags_;
  }
  Result<std::vector<OrderRun>> run_forked(std::span<const Order> orders, Shape shape,
                                           RunListener& listener) override {
    return executor_ ? executor_->run_forked(orders, shape, listener) : run_fresh(orders, listener);
  }
  Result<std::vector<OrderRun>> run_fresh(std::span<const Order> orders,
                                          RunListener& listener) override {
    return executor_ ? executor_->run_fresh(orders, listener)
                     : flags_->run(suite_, orders, listener);
  }
  Result<std::vector<TestRun>> run_apart(std::span<const TestId> tests,
                                         RunListener& listener) override;
  bool is_final(const Outcome& lost) const override {
    return executor_ && executor_->is_final(lost);
  }
  std::vector<StackFrame> crash_stack(const Order& order) override {
    return executor_ ? executor_->crash_stack(order) : std::vector<StackFrame>();
  }
  std::optional<std::uint64_t> verified() const override {
    if (!executor_ || !verifies_) return std::nullopt;
    return executor_->verified();
  }

  CodeHashes hash_code() const override;
  Result<std::unique_ptr<FlowCollector>> collector(FlowSource source) override {
    return open_collector({target_, engine_, source});
  }

 private:
  explicit NativeSession(const SessionRequest& request)
      : target_(request.target),
        isolation_(request.isolation),
        verifies_(request.engine.verify_snapshots),
        engine_(request.engine) {
    engine_.should_stop = [] { return false; };  // a collector is asked itself
  }
  Status start(const SessionRequest& request, const Inspection& inspection);
  Status start_hooks(const SessionRequest& request, const Inspection& inspection);
  Status start_flags(const SessionRequest& request, const Inspection& inspection,
                     const std::string& why);

  Target target_;
  BinaryIdentity identity_;
  Isolation isolation_;
  bool verifies_;
  EngineOptions engine_;  ///< as asked for, for those who start the program again
  Suite suite_;
  std::unique_ptr<Executor> executor_;  ///< null: driven by flags
  std::unique_ptr<FlagsDriver> flags_;
  std::vector<std::string> why_flags_;
  mutable std::vector<Notice> notices_;
  mutable std::size_t taken_ = 0;  ///< of the executor's notices
};

Result<std::unique_ptr<Session>> NativeSession::open(SessionRequest request) {
  // Reading a large binary for its digest takes a while, and so does all that comes before its
  // first test: do both at once.
  auto digest = std::async(std::launch::async,
                           [binary = request.target.binary] { return sha256_file(binary); });
  auto inspection = inspect(request.target);
  if (!inspection) return inspection.error();
  std::unique_ptr<NativeSession> session(new NativeSession(request));
  if (request.also_disabled) {
    session->target_ = with_disabled(request.target, inspection->framework.framework);
  }
  if (Status started = session->start(request, *inspection); !started) return started.error();
  auto digested = digest.get();
  if (!digested) return digested.error();
  session->identity_ = identify(request.target, inspection->elf, std::move(*digested));
  return std::unique_ptr<Session>(std::move(session));
}

Status NativeSession::start(const SessionRequest& request, const Inspection& inspection) {
  if (inspection.unhookable.empty()) {
    Status opened = start_hooks(request, inspection);
    const bool fall_back =
        !request.any_order && !opened && opened.error().kind == ErrorKind::unhookable;
    return fall_back ? start_flags(request, inspection, opened.error().message) : opened;
  }
  if (request.any_order) return no_orders_error(inspection);
  return start_flags(request, inspection, inspection.unhookable);
}

Status NativeSession::start_hooks(const SessionRequest& request, const Inspection& inspection) {
  ExecutorOptions engine = request.engine;
  engine.hook_offsets = inspection.hook_offsets;
  engine.also_disabled = request.also_disabled;
  engine.snapshots = wants_snapshots(request.isolation);
  auto opened = Executor::open(target_, inspection.elf, inspection.framework, std::move(engine));
  if (!opened) return opened.error();
  executor_ = std::move(*opened);
  suite_ = executor_->suite();
  notices_ = executor_->notices();
  taken_ = notices_.size();
  isolation_ = usable_isolation(request.isolation, *executor_, notices_);
  return {};
}

Status NativeSession::start_flags(const SessionRequest& request, const Inspection& inspection,
                                  const std::string& why) {
  if (Status known = check_flags_known(inspection, target_, why); !known) return known;
  flags_ = std::make_unique<FlagsDriver>(request.target, inspection.framework.version,
                                         ExecutorOptions(request.engine));
  auto suite = flags_->list(request.also_disabled);
  if (!suite) return suite.error();
  suite_ = *suite;
  why_flags_.push_back(why);
  notices_.push_back(
      {Notice::Level::warning, fmt::format("driven by {}'s own flags, because {}",
                                           to_string(inspection.framework.framework), why)});
  if (isolation_ != Isolation::none) isolation_ = Isolation::process;
  return {};
}

const std::vector<Notice>& NativeSession::notices() const {
  if (!executor_) return notices_;
  const std::vector<Notice>& all = executor_->notices();
  for (; taken_ < all.size(); ++taken_) notices_.push_back(all[taken_]);
  return notices_;
}

Status NativeSession::check_order(const Order& order) const {
  const bool fits = executor_ || isolation_ == Isolation::process || flags_->can_run(suite_, order);
  if (fits) return {};
  return target_error("GoogleTest's own flags cannot run this order in one process",
                      notices_.back().text + "; the default order and --isolate process work");
}

Result<std::vector<TestRun>> NativeSession::run_apart(std::span<const TestId> tests,
                                                      RunListener& listener) {
  const std::vector<Order> orders = each_alone(tests);
  auto runs = executor_ ? run_isolated(*executor_, isolation_, orders, listener)
                        : flags_->run(suite_, orders, listener);
  if (!runs) return runs.error();
  std::vector<TestRun> results;
  for (OrderRun& run : *runs) results.push_back(std::move(run.runs.front()));
  return results;
}

CodeHashes NativeSession::hash_code() const {
  CodeHashes hashes;
  auto by_test = hash_tests(target_.binary, suite_);
  if (by_test) {
    hashes.by_test = std::move(*by_test);
  } else {
    hashes.by_test.resize(suite_.size());
    hashes.problem = by_test.error().message;
  }
  return hashes;
}

class NativeRuntime : public Runtime {
 public:
  const RuntimeTraits& traits() const override { return kNativeRuntime; }
  bool recognises(const Target&) const override { return true; }
  Result<TargetSelection> resolve(const std::vector<std::string>& words,
                                  const std::vector<std::string>& args) const override {
    return resolve_targets(words, args);
  }
  Result<Suite> list(const Target& target, const EngineOptions& engine,
                     std::vector<Notice>& notices) const override;
  Result<BinaryIdentity> identify(const Target& target) const override;
  std::string libraries(const Target& target) const override {
    auto program = ElfFile::open(target.binary);
    return program ? library_digest(*program, library_path(target)) : std::string();
  }
  Result<std::unique_ptr<Session>> open(SessionRequest request) const override {
    return NativeSession::open(std::move(request));
  }
  Result<std::vector<DoctorFinding>> examine(const Target& target) const override {
    return examine_binary(target);
  }
  std::vector<DoctorFinding> examine_machine() const override { return gordian::examine_machine(); }
  Result<std::unique_ptr<DebugSession>> debug(
      const Target& target, const EngineOptions& engine,
      const std::vector<std::string>& order) const override {
    return open_debug_session(target, engine, order);
  }
  Result<CollectedCoverage> cover(const Target& target,
                                  const CoverageOptions& options) const override {
    return collect_coverage(target, options);
  }
  Result<std::unique_ptr<StateProber>> prober(const Target& target,
                                              const EngineOptions& engine) const override;
};

Result<Suite> NativeRuntime::list(const Target& asked, const EngineOptions& engine,
                                  std::vector<Notice>& notices) const {
  auto inspection = inspect(asked);
  if (!inspection) return inspection.error();
  const Target target =
      engine.also_disabled ? with_disabled(asked, inspection->framework.framework) : asked;
  std::string why = inspection->unhookable;
  if (why.empty()) {
    ExecutorOptions informed = engine;
    informed.hook_offsets = inspection->hook_offsets;
    auto suite = Executor::list(target, inspection->elf, inspection->framework, informed);
    if (suite || suite.error().kind != ErrorKind::unhookable) return suite;
    why = suite.error().message;
  }
  if (Status known = check_flags_known(*inspection, target, why); !known) return known.error();
  FlagsDriver flags(target, inspection->framework.version, ExecutorOptions(engine));
  auto suite = flags.list(false);
  if (suite && suite->size() > 0) {
    notices.push_back({Notice::Level::warning, "listed by GoogleTest's own flags, because " + why});
  }
  return suite;
}

Result<BinaryIdentity> NativeRuntime::identify(const Target& target) const {
  auto inspection = inspect(target);
  if (!inspection) return inspection.error();
  return gordian::identify(target, inspection->elf);
}

Result<std::unique_ptr<StateProber>> NativeRuntime::prober(const Target& target,
                                                           const EngineOptions& engine) const {
  auto inspection = inspect(target);
  if (!inspection) return inspection.error();
  if (!inspection->unhookable.empty()) return unhookable_error(inspection->unhookable);
  ExecutorOptions informed = engine;
  informed.hook_offsets = inspection->hook_offsets;
  return native_prober(target, *inspection, informed);
}

}  // namespace

const Runtime& native_runtime() {
  static const NativeRuntime runtime;
  return runtime;
}

}  // namespace gordian
