// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs all ordered pairs of the first N tests of a binary through the engine, as the order
// algorithms do, and says how long it took.
//
//   bench_pairs BINARY N flat|tree JOBS private|shared
//
// Prints {"pairs", "passed", "open_seconds", "run_seconds"}: `open` is from the file on disk to the
// state before the first test, `run` all the pairs. Exits 1 when a pair did not pass.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"

namespace {

using gordian::Executor;
using gordian::OutcomeKind;
using Clock = std::chrono::steady_clock;

struct Request {
  gordian::Target target;
  std::size_t tests = 0;
  Executor::Shape shape = Executor::Shape::flat;
  gordian::ExecutorOptions options;
};

bool parse(int argc, char** argv, Request& request) {
  if (argc != 6) return false;
  const std::string shape = argv[3], files = argv[5];
  request.target.binary = std::filesystem::absolute(argv[1]);
  request.target.working_dir = std::filesystem::current_path();
  request.tests = std::strtoul(argv[2], nullptr, 10);
  request.shape = shape == "tree" ? Executor::Shape::tree : Executor::Shape::flat;
  request.options.jobs = std::atoi(argv[4]);
  request.options.private_fs = request.options.private_fs_required = files == "private";
  return request.tests > 1 && request.options.jobs > 0 && (shape == "tree" || shape == "flat") &&
         (files == "private" || files == "shared");
}

std::vector<gordian::Order> all_pairs(const gordian::Order& tests) {
  std::vector<gordian::Order> pairs;
  for (gordian::TestId a : tests) {
    for (gordian::TestId b : tests) {
      if (a != b) pairs.push_back({a, b});
    }
  }
  return pairs;
}

std::size_t count_passed(const std::vector<gordian::OrderRun>& results) {
  auto passed = [](const gordian::TestRun& run) { return run.outcome.kind == OutcomeKind::pass; };
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(), [&](const gordian::OrderRun& order) {
        return order.runs.size() == 2 && std::all_of(order.runs.begin(), order.runs.end(), passed);
      }));
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

int fail(const gordian::Error& error) {
  fmt::print(stderr, "bench_pairs: {}\n", error.message);
  return 1;
}

int measure(const Request& request) {
  const auto begin = Clock::now();
  auto inspection = gordian::inspect(request.target);
  if (!inspection) return fail(inspection.error());
  auto executor =
      Executor::open(request.target, inspection->elf, inspection->framework, request.options);
  if (!executor) return fail(executor.error());
  const double open_seconds = seconds_since(begin);

  gordian::Order tests = (*executor)->suite().default_order();
  if (tests.size() < request.tests) return fail({{}, "the binary has fewer tests", ""});
  tests.resize(request.tests);
  const auto pairs = all_pairs(tests);
  gordian::RunListener nobody;
  const auto run_begin = Clock::now();
  auto results = (*executor)->run_forked(pairs, request.shape, nobody);
  const double run_seconds = seconds_since(run_begin);
  if (!results) return fail(results.error());

  const std::size_t passed = count_passed(*results);
  fmt::print(
      "{{\"pairs\": {}, \"passed\": {}, \"open_seconds\": {:.6f}, \"run_seconds\": {:.6f}}}\n",
      pairs.size(), passed, open_seconds, run_seconds);
  return passed == pairs.size() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  if (!parse(argc, argv, request)) {
    std::fputs("usage: bench_pairs BINARY N flat|tree JOBS private|shared\n", stderr);
    return 2;
  }
  return measure(request);
}
