// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/coverage_source.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "coverage/collect.h"
#include "coverage/import.h"
#include "coverage/test_code.h"
#include "detect/graph.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"
#include "store/coverage_store.h"

namespace gordian {
namespace {

FoundCoverage found(Coverage coverage) {
  FoundCoverage result;
  result.about.source = coverage.source;
  result.about.way = to_string(coverage.way);
  result.about.statements = coverage.statements.units.size();
  result.about.functions = coverage.functions.units.size();
  result.about.notices = coverage.notices;
  result.coverage = std::move(coverage);
  return result;
}

Result<FoundCoverage> collect(const CoverageRequest& request, const RankedBinary& of,
                              FrontEnd& front_end) {
  auto listener = front_end.count(CountWork::collect);
  CoverageOptions options;
  options.engine = request.engine;
  options.engine.should_stop = [] { return interrupted(); };
  options.way = request.way;
  options.progress = [&listener](const CoverageProgress& progress) {
    listener->show({progress.done, progress.total, progress.doing});
  };
  auto collected = runtime_of(of.target).cover(of.target, options);
  listener.reset();
  if (!collected) return collected.error();
  if (interrupted()) return Error{ErrorKind::interrupted, "interrupted", ""};
  return found(std::move(collected->coverage));
}

}  // namespace

namespace {

/// All that is there.
Result<FoundCoverage> find_everything(const CoverageRequest& request, const RankedBinary& of,
                                      FrontEnd& front_end) {
  if (!request.file.empty()) {
    auto imported = import_coverage(request.file, of.suite);
    if (!imported) return imported.error();
    FoundCoverage result = found(std::move(*imported));
    result.about.file = request.file;
    return result;
  }
  if (request.db.empty()) return collect(request, of, front_end);
  const SearchedBuild build{of.binary.sha256, of.binary.build_id,
                            runtime_of(of.target).libraries(of.target)};
  auto store = CoverageStore::open(request.db);
  if (!store) return store.error();
  if (!request.again) {
    auto stored = store->load(of.target, build, of.suite, request.way);
    if (!stored) return stored.error();
    if (*stored) {
      FoundCoverage result = found(std::move((*stored)->coverage));
      result.about.age = (*stored)->age;
      return result;
    }
  }
  auto collected = collect(request, of, front_end);
  if (!collected) return collected;
  Status saved = store->save(of.target, build, of.suite, collected->coverage);
  if (!saved) return saved.error();
  return collected;
}

}  // namespace

Result<FoundCoverage> find_coverage(const CoverageRequest& request, const RankedBinary& of,
                                    FrontEnd& front_end) {
  auto result = find_everything(request, of, front_end);
  if (!result || request.test_code) return result;
  const std::size_t left_out = leave_out_test_code(result->coverage, of.suite);
  result->about.statements = result->coverage.statements.units.size();
  result->about.functions = result->coverage.functions.units.size();
  if (left_out > 0) {
    result->about.notices.push_back(fmt::format(
        "{} lines of the tests' own files do not count (--test-code counts them)", left_out));
  }
  return result;
}

}  // namespace gordian
