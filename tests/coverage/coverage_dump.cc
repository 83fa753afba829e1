// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// coverage_dump alone|in-order PROGRAM [ARGUMENT...]
// coverage_dump import FROM PROGRAM [ARGUMENT...]
//
// What each test of PROGRAM covers, as JSON, for tests of ours:
// {"source": ..., "notices": [...], "units": {FILE: [LINE...]}, "tests": {NAME: {"outcome": ...,
// "lines": {FILE: [LINE...]}, "functions": ["FILE:LINE NAME"...]}}}
#include <cstdio>
#include <nlohmann/json.hpp>

#include "coverage/native/collect.h"

namespace gordian {
namespace {

using nlohmann::json;

json lines_of(const CoverTable& table, std::size_t test) {
  json files = json::object();
  for (std::size_t i = 0; i < table.units.size(); ++i) {
    if (test < table.tests.size() && !table.tests[test].has(i)) continue;
    files[table.units[i].file].push_back(table.units[i].line);
  }
  return files;
}

json functions_of(const CoverTable& table, std::size_t test) {
  json names = json::array();
  for (std::size_t i = 0; i < table.units.size(); ++i) {
    const CoverUnit& unit = table.units[i];
    if (table.tests[test].has(i)) {
      names.push_back(unit.file + ":" + std::to_string(unit.line) + " " + unit.function);
    }
  }
  return names;
}

json dump(const Suite& suite, const Coverage& coverage, const std::vector<TestRun>& runs) {
  json out = {{"source", coverage.source}, {"notices", coverage.notices}};
  out["units"] = lines_of(coverage.statements, coverage.statements.tests.size());
  for (std::size_t i = 0; i < suite.size(); ++i) {
    out["tests"][suite.tests()[i].full_name()] = {
        {"lines", lines_of(coverage.statements, i)},
        {"functions", functions_of(coverage.functions, i)}};
  }
  for (const TestRun& run : runs) {
    json& test = out["tests"][suite.test(run.test).full_name()];
    test["outcome"] = to_string(run.outcome.kind);
    test["rolled_back"] = run.fall_back == FallBack::none;
  }
  return out;
}

int fail(const Error& error) {
  std::fprintf(stderr, "error: %s\n%s\n", error.message.c_str(), error.hint.c_str());
  return 2;
}

int run(int argc, char** argv) {
  const std::string way = argv[1];
  Target target;
  target.binary = std::filesystem::absolute(argv[2]);
  target.args.assign(argv + 3, argv + argc);
  target.working_dir = std::filesystem::current_path();
  CoverageOptions options;
  options.way = way == "alone" ? CoverageWay::alone : CoverageWay::in_order;
  options.engine.limits.test_timeout = std::chrono::seconds(20);
  auto collected = collect_coverage(target, options);
  if (!collected) return fail(collected.error());
  std::puts(dump(collected->suite, collected->coverage, collected->runs).dump(1).c_str());
  return 0;
}

}  // namespace
}  // namespace gordian

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return gordian::run(argc, argv);
}
