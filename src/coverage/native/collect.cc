// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One process is started and stands before its first test. Its counters are set to zero there, so
// that what ran until then is in no row, and every fork and every snapshot begins with zeros. A
// test ends, its process waits, and what is not zero is what the test has covered.
#include "coverage/native/collect.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/owned_dir.h"
#include "coverage/counted_program.h"
#include "runtime/native/inspect.h"
#include "runtime/native/isolation.h"
#include "runtime/session.h"
#include "wire/protocol.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// Where processes that end by exit() leave their counters: out of the user's sight, and where no
/// private view of the file system hides it from us.
Result<TemporaryDir> make_scratch() {
  std::vector<fs::path> places = {"/dev/shm", "/run"};
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR")) places.emplace_back(runtime);
  if (const char* home = std::getenv("HOME")) places.emplace_back(home);
  places.push_back(fs::temp_directory_path());
  return TemporaryDir::make(places);
}

Target with_scratch(Target target, const std::string& scratch) {
  const auto set = [&target](const std::string& name, std::optional<std::string> value) {
    std::erase_if(target.env, [&name](const EnvChange& change) { return change.first == name; });
    target.env.emplace_back(name, std::move(value));
  };
  set("GCOV_PREFIX", scratch);
  set("GCOV_PREFIX_STRIP", std::nullopt);
  set("LLVM_PROFILE_FILE", scratch + "/%p-%m.profraw");
  return target;
}

std::string some_names(const Suite& suite, const Order& tests) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(tests.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + suite.test(tests[i]).full_name();
  }
  return tests.size() > kMost ? text + ", ..." : text;
}

class Collector {
 public:
  Collector(const Target& target, const CoverageOptions& options, std::string scratch)
      : target_(target), options_(options), scratch_(std::move(scratch)) {}

  Result<CollectedCoverage> collect() {
    if (Status opened = open(); !opened) return opened.error();
    result_.suite = executor_->suite();
    rows_.resize(result_.suite.size());
    seen_.resize(result_.suite.size());
    order_ = result_.suite.default_order();
    if (order_.empty()) return no_tests_error(target_);
    Status run = options_.way == CoverageWay::alone ? run_alone() : run_in_order();
    if (!run) return run.error();
    if (options_.engine.should_stop()) return Error{ErrorKind::interrupted, "interrupted", ""};
    take_crashes();
    finish();
    return std::move(result_);
  }

 private:
  Status open();
  Status run_alone();
  Status run_in_order();
  Result<OrderRun> run_from(const Order& order);
  void begin(pid_t pid, TestId test);
  void end(pid_t pid);
  void take_ended();
  void take_crashes();
  void finish();
  void name_lost();

  const Target& target_;
  const CoverageOptions& options_;
  std::string scratch_;
  std::unique_ptr<Executor> executor_;
  std::optional<CountedProgram> program_;
  CollectedCoverage result_;
  Order order_;
  std::vector<CoverRow> rows_;
  std::vector<bool> seen_;       ///< its counters were read, or came as files
  std::optional<TestId> begun_;  ///< the test whose end was not seen yet
  std::size_t done_ = 0;
};

Status Collector::open() {
  auto inspection = inspect(target_);
  if (!inspection) return inspection.error();
  if (!inspection->unhookable.empty()) {
    return target_error(
        "coverage of single tests needs our agent in the program, but " + inspection->unhookable,
        "give Gordian your own data (--coverage FILE)");
  }
  auto binary = identify(target_, inspection->elf);
  if (!binary) return binary.error();
  result_.binary = std::move(*binary);
  options_.progress({0, 0, "starting the program"});
  ExecutorOptions engine = options_.engine;
  engine.jobs = 1;
  engine.snapshots = options_.way == CoverageWay::alone;
  engine.counters_stay = true;
  engine.same_addresses = true;
  engine.hook_offsets = inspection->hook_offsets;
  auto opened = Executor::open(with_scratch(target_, scratch_), inspection->elf,
                               inspection->framework, std::move(engine));
  if (!opened) return opened.error();
  executor_ = std::move(*opened);
  result_.notices = executor_->notices();
  if (options_.way == CoverageWay::alone) {
    usable_isolation(Isolation::automatic, *executor_, result_.notices);
  }
  options_.progress({0, 0, "reading the maps of counters"});
  auto standing = executor_->standing_process();
  if (!standing) return standing.error();
  auto program = CountedProgram::look_at(*standing);
  if (!program) return program.error();
  program_.emplace(std::move(*program));
  if (!program_->clear(*standing))
    return internal_error("the counters of the program cannot be set");
  return {};
}

/// The files of a test that has ended its process: perhaps by exit(), which writes the counters.
void Collector::take_ended() {
  CoverRow nobody;  // of a process that was torn down
  const bool taken = program_->take_files(scratch_, begun_ ? rows_[begun_->value()] : nobody);
  if (begun_ && taken) seen_[begun_->value()] = true;
  begun_.reset();
}

/// A test is about to begin, with zeros.
void Collector::begin(pid_t pid, TestId test) {
  take_ended();
  begun_ = test;
  if (!program_->clear(pid)) begun_.reset();
  options_.progress({done_, order_.size(), "running " + result_.suite.test(test).full_name()});
}

void Collector::end(pid_t pid) {
  if (!begun_) return;
  CoverRow& row = rows_[begun_->value()];
  seen_[begun_->value()] = program_->read(pid, row);
  program_->take_files(scratch_, row);  // of processes that the test has started
  begun_.reset();
  ++done_;
}

Status Collector::run_alone() {
  const std::vector<Order> orders = each_alone(order_);
  pid_t known = -1;
  auto at_hold = [&](const Executor::EachHold& hold) {
    const pid_t pid = hold.process.pid();
    if (hold.process.before() < 0 && pid != known && !program_->fits(pid)) return;
    known = pid;
    if (hold.position == 0) begin(pid, order_[hold.order]);
    if (hold.position == 1) end(pid);
  };
  auto runs = executor_->run_held_each(orders, at_hold, gordian_wire::kHoldAtInlineEnd);
  if (!runs) return runs.error();
  take_ended();
  for (OrderRun& run : *runs) {
    for (TestRun& one : run.runs) result_.runs.push_back(std::move(one));
  }
  return {};
}

/// One process for as long as it lives.
Result<OrderRun> Collector::run_from(const Order& order) {
  auto at_hold = [&](HeldProcess& held) {
    const pid_t pid = held.pid();
    if (held.before() < 0 && held.position() == 0 && !program_->fits(pid)) return;
    if (held.position() > 0) end(pid);
    if (held.position() < order.size()) begin(pid, order[held.position()]);
  };
  return executor_->run_held(
      order, {}, at_hold,
      gordian_wire::kHoldBeforeEach | gordian_wire::kHoldAtEnd | gordian_wire::kHoldAtInlineEnd);
}

Status Collector::run_in_order() {
  for (std::size_t next = 0; next < order_.size() && !options_.engine.should_stop();) {
    const Order rest(order_.begin() + static_cast<std::ptrdiff_t>(next), order_.end());
    auto run = run_from(rest);
    if (!run) return run.error();
    take_ended();
    std::size_t ran = 0;
    while (ran < run->runs.size() && run->runs[ran].outcome.kind != OutcomeKind::not_run) ++ran;
    if (ran == 0) return internal_error("no test could be run");
    for (std::size_t i = 0; i < ran; ++i) result_.runs.push_back(std::move(run->runs[i]));
    next += ran;
    if (next < order_.size()) {
      result_.coverage.notices.push_back(
          fmt::format("{} ended the process; the tests behind it ran in another one",
                      result_.suite.test(order_[next - 1]).full_name()));
    }
  }
  return {};
}

/// Once more for tests that crashed: stopped at the moment of the crash.
void Collector::take_crashes() {
  for (std::size_t i = 0; i < result_.runs.size() && !options_.engine.should_stop(); ++i) {
    const TestRun& run = result_.runs[i];
    if (run.outcome.kind != OutcomeKind::crash || seen_[run.test.value()]) continue;
    Order order = {run.test};
    if (options_.way == CoverageWay::in_order) {
      const auto at = std::find(order_.begin(), order_.end(), run.test);
      order.assign(order_.begin(), at + 1);
    }
    bool ready = false;
    auto before = [&](pid_t pid) { ready = program_->fits(pid) && program_->clear(pid); };
    auto crash = [&](pid_t pid) {
      if (ready) seen_[run.test.value()] = program_->read(pid, rows_[run.test.value()]);
    };
    if (!executor_->run_to_crash(order, before, crash)) break;
  }
}

void Collector::name_lost() {
  Order lost, failed;
  for (const TestRun& run : result_.runs) {
    if (run.outcome.kind == OutcomeKind::not_run) continue;
    if (!seen_[run.test.value()])
      lost.push_back(run.test);
    else if (is_failure(run.outcome.kind))
      failed.push_back(run.test);
  }
  auto& notices = result_.coverage.notices;
  if (!lost.empty()) {
    notices.push_back(fmt::format(
        "nothing is known of what {} tests covered, which ended their process at once or "
        "had to be ended: {}",
        lost.size(), some_names(result_.suite, lost)));
  }
  if (!failed.empty()) {
    notices.push_back(fmt::format("{} tests failed, and cover what ran until then: {}",
                                  failed.size(), some_names(result_.suite, failed)));
  }
}

void Collector::finish() {
  std::vector<std::string> notices = program_->notices();
  for (std::string& notice : result_.coverage.notices) notices.push_back(std::move(notice));
  options_.progress({order_.size(), order_.size(), "putting lines together"});
  result_.coverage = program_->units().coverage(rows_);
  result_.coverage.way = options_.way;
  result_.coverage.source = program_->source();
  result_.coverage.notices = std::move(notices);
  name_lost();
}

/// Paths as compiled in may be relative to a directory that we do not know: then the end decides.
class TestFiles {
 public:
  explicit TestFiles(const Suite& suite) {
    for (const Test& test : suite.tests()) {
      if (test.file.empty()) continue;
      std::string path = std::filesystem::path(test.file).lexically_normal().string();
      while (path.starts_with("../")) path.erase(0, 3);
      files_.insert(std::move(path));
    }
  }

  bool hold(const std::string& file) {
    auto [at, is_new] = known_.try_emplace(file, false);
    if (is_new) at->second = look_up(file);
    return at->second;
  }

 private:
  bool look_up(const std::string& file) const {
    return std::any_of(files_.begin(), files_.end(), [&file](const std::string& one) {
      return file == one || (!one.starts_with('/') && file.ends_with("/" + one));
    });
  }

  std::set<std::string> files_;
  std::map<std::string, bool> known_;
};

std::vector<std::size_t> kept_units(const CoverTable& table, TestFiles& files) {
  std::vector<std::size_t> kept;
  for (std::size_t u = 0; u < table.units.size(); ++u) {
    if (!files.hold(table.units[u].file)) kept.push_back(u);
  }
  return kept;
}

CoverTable part_of(const CoverTable& table, const std::vector<std::size_t>& kept) {
  CoverTable part;
  for (std::size_t unit : kept) part.units.push_back(table.units[unit]);
  for (const CoverSet& test : table.tests) {
    CoverSet& set = part.tests.emplace_back(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (test.has(kept[i])) set.add(i);
    }
  }
  return part;
}

}  // namespace

Result<CollectedCoverage> collect_coverage(const Target& target, const CoverageOptions& options) {
  auto scratch = make_scratch();
  if (!scratch) return scratch.error();
  return Collector(target, options, scratch->path().string()).collect();
}

std::size_t leave_out_test_code(Coverage& coverage, const Suite& suite) {
  TestFiles files(suite);
  const std::vector<std::size_t> lines = kept_units(coverage.statements, files);
  const std::size_t all = coverage.statements.units.size();
  if (lines.empty() || lines.size() == all) return 0;
  coverage.statements = part_of(coverage.statements, lines);
  coverage.functions = part_of(coverage.functions, kept_units(coverage.functions, files));
  return all - lines.size();
}

}  // namespace gordian
