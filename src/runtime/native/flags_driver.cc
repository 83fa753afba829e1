// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/flags_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"
#include "base/subprocess.h"
#include "frameworks/framework_traits.h"
#include "frameworks/gtest/output.h"

namespace gordian {
namespace {

constexpr std::size_t kLongestFilter = 100'000;  // Linux takes 128 KiB in one argument

std::vector<EnvChange> clean_environment(const Target& target) {
  std::vector<EnvChange> changes;
  for (const char* name :
       {"GTEST_FILTER", "GTEST_SHUFFLE", "GTEST_REPEAT", "GTEST_RANDOM_SEED", "GTEST_TOTAL_SHARDS",
        "GTEST_SHARD_INDEX", "GTEST_SHARD_STATUS_FILE", "GTEST_OUTPUT",
        "GTEST_ALSO_RUN_DISABLED_TESTS", "GTEST_FAIL_FAST", "GTEST_BRIEF", "GTEST_BREAK_ON_FAILURE",
        "XML_OUTPUT_FILE", "TESTBRIDGE_TEST_ONLY"}) {
    changes.emplace_back(name, std::nullopt);
  }
  changes.insert(changes.end(), target.env.begin(), target.env.end());
  return changes;
}

std::vector<std::string> command(const Target& target, std::initializer_list<std::string> flags) {
  std::vector<std::string> argv = {target.binary.string()};
  argv.insert(argv.end(), target.args.begin(), target.args.end());
  argv.insert(argv.end(), flags);
  return argv;
}

Framework framework_driven_by_flags() {
  const auto all = all_frameworks();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [](const FrameworkTraits* one) { return one->driven_by_flags; });
  GORDIAN_CHECK(found != all.end());
  return (*found)->framework;
}

/// How the process ended, for the test it ended in.
Outcome end_of(const SubprocessResult& process) {
  Outcome outcome;
  if (process.timed_out) {
    outcome.kind = OutcomeKind::timeout;
  } else if (process.signal != 0) {
    outcome.kind = OutcomeKind::crash;
    outcome.signal = process.signal;
  } else {
    outcome.kind = OutcomeKind::exit;
    outcome.exit_code = process.exit_code;
  }
  return outcome;
}

}  // namespace

FlagsDriver::FlagsDriver(Target target, std::string framework_version, ExecutorOptions options)
    : target_(std::move(target)),
      framework_version_(std::move(framework_version)),
      options_(std::move(options)) {}

Result<Suite> FlagsDriver::list(bool also_disabled) {
  SubprocessOptions options;
  options.working_dir = target_.working_dir;
  options.env = clean_environment(target_);
  options.timeout = options_.start_timeout;
  auto listed = run_subprocess(command(target_, {"--gtest_list_tests"}), options);
  if (!listed) return listed.error();
  if (!listed->succeeded()) {
    return target_error(fmt::format("{} could not list its tests", target_.binary.string()),
                        listed->err.empty() ? "run it by hand to see why" : listed->err);
  }
  std::vector<Test> tests = parse_test_list(listed->out);
  if (also_disabled) {
    for (Test& test : tests) test.will_run = true;
  }
  Suite suite(framework_driven_by_flags(), framework_version_, std::move(tests));
  options_.limits.own_timeouts = own_timeouts(suite, options_.overrides);
  return suite;
}

bool FlagsDriver::can_run(const Suite& suite, const Order& order) const {
  (void)suite;
  return std::is_sorted(order.begin(), order.end()) &&
         std::adjacent_find(order.begin(), order.end()) == order.end();
}

/// 0: without end, as one of its tests may be.
std::chrono::nanoseconds FlagsDriver::time_for(const Order& order) const {
  std::chrono::nanoseconds sum{0};
  for (TestId test : order) {
    const auto limit = options_.limits.timeout_of(test);
    if (limit.count() == 0) return limit;
    sum += limit;
  }
  return sum;
}

Result<OrderRun> FlagsDriver::run_one(const Suite& suite, const Order& order) {
  std::string filter;
  if (order != suite.default_order()) {
    for (TestId id : order) filter += (filter.empty() ? "" : ":") + suite.test(id).full_name();
  }
  if (filter.size() > kLongestFilter) {
    return target_error("the selection is too long for the framework's own filter");
  }
  SubprocessOptions options;
  options.working_dir = target_.working_dir;
  options.env = clean_environment(target_);
  options.output_limit = options_.limits.output_bytes;
  const auto limit = time_for(order);
  options.timeout = limit.count() == 0
                        ? std::chrono::milliseconds(std::chrono::hours(24))
                        : std::chrono::duration_cast<std::chrono::milliseconds>(limit);
  auto process = run_subprocess(
      command(target_, {"--gtest_color=no", "--gtest_also_run_disabled_tests",
                        "--gtest_filter=" + (filter.empty() ? "*-*DISABLED_*" : filter)}),
      options);
  if (!process) return process.error();

  std::map<std::string, PrintedResult> by_name;
  for (PrintedResult& result : parse_run_output(process->out)) {
    std::string name = result.full_name;
    by_name.insert_or_assign(std::move(name), std::move(result));
  }
  OrderRun run{order, {}};
  for (TestId id : order) {
    TestRun test_run;
    test_run.test = id;
    auto it = by_name.find(suite.test(id).full_name());
    if (it != by_name.end()) {
      test_run.outcome = it->second.ended ? it->second.outcome : end_of(*process);
      test_run.duration = it->second.duration;
      test_run.output = std::move(it->second.output);
    } else if (process->succeeded()) {
      test_run.outcome.kind = OutcomeKind::lost;
      test_run.outcome.message = "the framework printed no result for this test";
    }
    run.runs.push_back(std::move(test_run));
  }
  return run;
}

Result<std::vector<OrderRun>> FlagsDriver::run(const Suite& suite, std::span<const Order> orders,
                                               RunListener& listener) {
  std::vector<OrderRun> results;
  std::size_t total = 0, done = 0;
  for (const Order& order : orders) total += order.size();
  for (const Order& order : orders) {
    if (options_.should_stop()) {
      OrderRun unrun{order, {}};
      for (TestId id : order) unrun.runs.emplace_back(id);
      results.push_back(std::move(unrun));
      continue;
    }
    std::vector<RunningTest> now;
    if (order.size() == 1) now.push_back({order.front(), {}});
    listener.tick(now, done, total);
    auto run = run_one(suite, order);
    if (!run) return run.error();
    for (const TestRun& test_run : run->runs) listener.test_finished(test_run);
    done += order.size();
    results.push_back(std::move(*run));
  }
  return results;
}

}  // namespace gordian
