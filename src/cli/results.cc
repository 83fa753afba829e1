// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/results.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "cli/command.h"
#include "report/json.h"
#include "report/rank_report.h"
#include "report/run_report.h"

namespace gordian {
namespace {

/// The option was checked before.
std::chrono::nanoseconds slow_threshold(const RunOptions& options) {
  auto slow = parse_duration(options.slow);
  return slow ? *slow : std::chrono::nanoseconds(0);
}

/// "order.txt", "order.2.txt", "order.3.txt".
std::string numbered(const std::string& file, std::size_t index) {
  if (index == 0) return file;
  std::filesystem::path path(file);
  const std::string extension = path.extension().string();
  path.replace_extension("." + std::to_string(index + 1) + extension);
  return path.string();
}

}  // namespace

RunResults::RunResults(const RunOptions& options, const CommonOptions& common)
    : options_(options),
      db_(common.db),
      screen_(std::make_unique<Screen>(
          common, RunDisplayOptions{options.verbose, slow_threshold(options)})) {}

Result<RunResults> RunResults::open(const RunOptions& options, const CommonOptions& common) {
  RunResults results(options, common);
  auto session = RunSession::open(options.no_db ? "" : common.db_path(), *results.screen_);
  if (!session) return session.error();
  results.session_.emplace(std::move(*session));
  return results;
}

Result<const RunFacts*> RunResults::run(const RunRequest& request,
                                        const std::vector<std::string>& extra) {
  auto ran = session_->run(request, extra);
  if (!ran) return ran.error();
  ran->facts->db = db_;
  screen_->print(run_summary(*ran->facts, screen_->style(), slow_threshold(options_)));
  if (!ran->stored) return ran->stored.error();
  return ran->facts;
}

int exit_code_of(const RunFacts& facts) {
  if (facts.end == RunEnd::interrupted) return kExitInterrupted;
  OutcomeCounts counts = count_outcomes(facts);
  bool incomplete = counts.not_run > 0 || facts.end == RunEnd::timed_out;
  return counts.failures() > 0 || incomplete ? kExitTestsFailed : kExitOk;
}

int RunResults::finish() {
  const std::vector<RunFacts>& runs = session_->runs();
  int code = kExitOk;
  if (runs.size() > 1) {
    screen_->print(runs_total(runs, screen_->style(), slow_threshold(options_)));
  }
  for (const RunFacts& facts : runs) code = std::max(code, exit_code_of(facts));
  Status written;
  if (!options_.junit.empty()) written = write_file(options_.junit, junit_xml(runs));
  if (!written) return report_error(written.error());
  if (!options_.json.empty()) {
    written = write_file(options_.json, dump_json(all_to_json("runs", runs, run_to_json)));
  }
  return ended_with(written, code);
}

Result<std::string> order_output(const std::string& file, const std::string& json) {
  if (file == "-" && json == "-") {
    return usage_error("the order and the JSON cannot both go to standard output",
                       "the JSON has the order in it: leave -o out, or name a file");
  }
  return file.empty() && json != "-" ? "-" : file;
}

Result<std::vector<std::string>> write_order(const RankedOrder& order, const Suite& suite,
                                             const std::string& file) {
  const std::vector<std::string> texts = order_files(order, suite);
  std::vector<std::string> names;
  if (file == "-") {
    std::string all;
    for (const std::string& text : texts) all += text;
    Status written = write_file(file, all);
    return written ? Result<std::vector<std::string>>(names) : written.error();
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    names.push_back(numbered(file, i));
    if (Status written = write_file(names.back(), texts[i]); !written) return written.error();
  }
  return names;
}

int exit_code_of(const RankedOrder& order) {
  const bool changed = order.checked && !order.checked->changed.empty();
  const bool unserved = order.aware && !order.aware->impossible.empty();
  return changed || unserved ? kExitTestsFailed : kExitOk;
}

}  // namespace gordian
