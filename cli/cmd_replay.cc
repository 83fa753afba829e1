// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/shell.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/run_session.h"
#include "store/dependence_store.h"
#include "store/run_store.h"

namespace gordian {
namespace {

struct ReplayCommand {
  std::string run;
  RunOptions options;
  bool isolate_given = false;
};

Result<RunId> parse_run_id(const std::string& word) {
  std::string_view digits = word;
  if (digits.starts_with('R') || digits.starts_with('r')) digits.remove_prefix(1);
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return usage_error("'" + word + "' is not a run", "runs are called R1, R2, ...");
  }
  return RunId{value};
}

std::vector<std::string> names(const RunFacts& facts) {
  std::vector<std::string> result;
  if (facts.orders.empty()) return result;
  for (TestId id : facts.orders.front().order) result.push_back(facts.suite.test(id).full_name());
  return result;
}

/// Compares position by position. Returns how many differ, and prints the first few.
int compare(const RunFacts& before, const RunFacts& now) {
  constexpr int kMostShown = 10;
  int differ = 0;
  const auto& old_runs = before.orders.front().runs;
  const auto& new_runs = now.orders.front().runs;
  for (std::size_t i = 0; i < std::min(old_runs.size(), new_runs.size()); ++i) {
    const Outcome &was = old_runs[i].outcome, &is = new_runs[i].outcome;
    bool both_unknown = was.kind == OutcomeKind::not_run && is.kind == OutcomeKind::not_run;
    if (both_unknown || same_result(was, is)) continue;
    if (++differ > kMostShown) continue;
    std::fprintf(stderr, "  differs: %s: %s then, %s now\n",
                 now.suite.test(new_runs[i].test).full_name().c_str(),
                 std::string(to_string(was.kind)).c_str(), std::string(to_string(is.kind)).c_str());
  }
  return differ;
}

/// Asking for what was stored must not create an empty database.
std::optional<Error> missing_database(const ReplayCommand& command, const CommonOptions& common) {
  if (std::filesystem::exists(common.db_path())) return std::nullopt;
  return usage_error("no " + command.run + ": there is no database at " + common.db_path(),
                     "run this where the run was made, or name the file with --db");
}

bool names_dependence(const std::string& word) {
  return word.size() > 1 && (word[0] == 'D' || word[0] == 'd');
}

/// Runs the witness of a dependence in one process, and says whether it shows again.
int replay_dependence(ReplayCommand& command, const CommonOptions& common) {
  auto number = parse_run_id(command.run.substr(1));
  if (!number) return report_error(usage_error("'" + command.run + "' is not a dependence"));
  if (auto missing = missing_database(command, common)) return report_error(*missing);
  auto store = DependenceStore::open(common.db_path());
  if (!store) return report_error(store.error());
  auto stored = store->load(static_cast<int>(number->value()));
  if (!stored) return report_error(stored.error());
  command.options.isolate = "none";
  auto request = to_request(command.options);
  if (!request) return report_error(request.error());
  request->target = stored->target;
  request->exact_order = stored->witness;
  request->command = shell_quoted(common.words);
  auto session = RunSession::open(command.options, common);
  if (!session) return report_error(session.error());
  auto now = session->run(*request);
  if (!now) return report_error(now.error());
  const Outcome& is = (*now)->orders.back().runs.back().outcome;
  bool again = same_result(is, stored->witnessed);
  std::fprintf(
      stderr, "%s",
      fmt::format("D{} {}: {} gives {} after {}, and {} alone.\n", stored->id,
                  again ? "shows again" : "does not show any more", stored->test,
                  to_string(is.kind),
                  stored->witness.size() == 2 ? stored->witness.front()
                                              : fmt::format("{} tests", stored->witness.size() - 1),
                  to_string(stored->alone.kind))
          .c_str());
  return session->finish();
}

int replay(ReplayCommand& command, const CommonOptions& common) {
  if (names_dependence(command.run)) return replay_dependence(command, common);
  auto id = parse_run_id(command.run);
  if (!id) return report_error(id.error());
  if (auto missing = missing_database(command, common)) return report_error(*missing);
  auto store = RunStore::open(common.db_path());
  if (!store) return report_error(store.error());
  auto before = store->load_run(*id);
  if (!before) return report_error(before.error());
  if (!command.isolate_given) command.options.isolate = to_string(before->header.requested);
  auto request = to_request(command.options);
  if (!request) return report_error(request.error());
  request->target = before->header.target;
  request->exact_order = names(*before);
  request->order.seed = before->header.seed;
  request->command = shell_quoted(common.words);
  if (command.options.jobs == 0) request->engine.jobs = before->header.jobs;

  auto session = RunSession::open(command.options, common);
  if (!session) return report_error(session.error());
  auto now = session->run(*request);
  if (!now) return report_error(now.error());
  if ((*now)->header.binary.sha256 != before->header.binary.sha256) {
    std::fprintf(stderr, "The binary has changed since R%lld.\n",
                 static_cast<long long>(id->value()));
  }
  int differ = compare(*before, **now);
  std::fprintf(stderr, "%s\n",
               differ == 0
                   ? fmt::format("All results are as in R{}.", id->value()).c_str()
                   : fmt::format("{} results differ from R{}.", differ, id->value()).c_str());
  return session->finish();
}

}  // namespace

std::function<int()> declare_replay(CLI::App& app, CommonOptions& common) {
  auto command = std::make_shared<ReplayCommand>();
  app.add_option("id", command->run, "A run, as R7, or the witness of a dependence, as D3")
      ->required();
  add_run_options(app, command->options);
  app.add_option("--db", common.db, "Database of runs (default .gordian/gordian.db)")
      ->type_name("FILE");
  CLI::Option* isolate = app.get_option("--isolate");
  return [command, isolate, &common] {
    command->isolate_given = isolate->count() > 0;
    return replay(*command, common);
  };
}

}  // namespace gordian
