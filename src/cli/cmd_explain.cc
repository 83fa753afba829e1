// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/level.h"
#include "app/stored_groups.h"
#include "app/stored_ids.h"
#include "app/stored_suite.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/explaining.h"
#include "cli/run_options.h"
#include "cli/screen.h"
#include "report/explain_json.h"
#include "report/explain_text.h"
#include "report/run_json.h"
#include "report/write_file.h"
#include "runtime/interrupt.h"
#include "runtime/runtime.h"
#include "store/explanation_store.h"

namespace gordian {
namespace {

struct ExplainCommand {
  std::vector<std::string> ids;
  std::string budget = "0", json;
  RunOptions run;
  ExplainOptions options;
  bool no_sites = false, again = false;
  Option* timeout_option = nullptr;
};

class Explaining {
 public:
  Explaining(const ExplainCommand& command, const CommonOptions& common,
             const TerminalFacts& terminal)
      : command_(command), common_(common), terminal_(terminal) {}

  /// Opens the database and reads what was asked for.
  Result<std::vector<DependenceGroup>> load();
  Result<ExplainFacts> explain_group(const DependenceGroup& group);

 private:
  Result<std::optional<StoredExplanation>> known(const DependenceGroup& group,
                                                 const StoredDependence& d) {
    if (command_.again) return std::optional<StoredExplanation>();
    return known_explanation(*explanations_, d.id, group.binary.sha256, d.witness, options());
  }
  ExplainOptions options() const {
    ExplainOptions options = command_.options;
    options.sites = !command_.no_sites;
    return options;
  }
  Result<ExplainJob> job_for(const DependenceGroup& group,
                             const std::vector<StoredDependence>& missing);

  const ExplainCommand& command_;
  const CommonOptions& common_;
  const TerminalFacts& terminal_;
  std::optional<DependenceStore> dependences_;
  std::optional<ExplanationStore> explanations_;
};

Result<std::vector<DependenceGroup>> Explaining::load() {
  const std::string what = command_.ids.empty() ? "search" : command_.ids.front();
  if (auto missing = missing_database(what, common_.db_path())) return *missing;
  auto dependences = DependenceStore::open(common_.db_path());
  if (!dependences) return dependences.error();
  dependences_.emplace(std::move(*dependences));
  auto explanations = ExplanationStore::open(common_.db_path());
  if (!explanations) return explanations.error();
  explanations_.emplace(std::move(*explanations));
  auto ids = asked_dependences(command_.ids, *dependences_);
  if (!ids) return ids.error();
  return load_groups(*ids, *dependences_);
}

Result<ExplainJob> Explaining::job_for(const DependenceGroup& group,
                                       const std::vector<StoredDependence>& missing) {
  RunOptions run = command_.run;
  const std::string_view usual = runtime_of(group.stored.front().target).traits().test_timeout;
  if (!usual.empty() && !command_.timeout_option->is_given()) run.timeout = usual;
  auto request = to_request(run);
  if (!request) return request.error();
  auto budget = parse_duration(command_.budget);
  if (!budget) return budget.error();
  request->engine.overrides = common_.config.overrides;
  auto job = explain_job(group, missing, request->engine);
  if (!job) return job.error();
  job->options = options();
  job->options.budget = *budget;
  return job;
}

Result<ExplainFacts> Explaining::explain_group(const DependenceGroup& group) {
  std::vector<std::optional<StoredExplanation>> known_ones;
  std::vector<StoredDependence> missing;
  for (const StoredDependence& stored : group.stored) {
    auto found = known(group, stored);
    if (!found) return found.error();
    if (!*found) missing.push_back(stored);
    known_ones.push_back(std::move(*found));
  }
  ExplainFacts facts;
  facts.binary = group.stored.front().target.binary.string();
  facts.db = common_.db_path();
  facts.suite = suite_of_names(group.stored);
  std::vector<Explanation> fresh;
  if (!missing.empty()) {
    auto job = job_for(group, missing);
    if (!job) return job.error();
    auto made = explain_on_screen(*job, &*explanations_, terminal_);
    if (!made) return made.error();
    fresh = std::move(*made);
  }
  for (std::size_t i = 0, next = 0; i < group.stored.size(); ++i) {
    auto dependence = to_dependence(group.stored[i], facts.suite);
    if (!dependence) return dependence.error();
    ExplainedDependence explained{std::move(*dependence), {}, std::nullopt};
    if (known_ones[i]) {
      explained.explanation = std::move(known_ones[i]->explanation);
      explained.age = known_ones[i]->age;
    } else if (next < fresh.size()) {
      explained.explanation = std::move(fresh[next++]);
    }
    facts.explained.push_back(std::move(explained));
  }
  return facts;
}

void print_group(const ExplainFacts& facts, const Style& style, int fd) {
  SourceFiles files(facts.binary);
  auto source = [&files](const std::string& file) -> const std::vector<std::string>& {
    return files.lines(file);
  };
  sink_to(fd)(explanation_blocks(facts, source, style));
}

int finish(const ExplainCommand& command, const std::vector<ExplainFacts>& all, const Style& style,
           int fd, int code) {
  bool proved = true;
  for (const ExplainFacts& facts : all) {
    for (const ExplainedDependence& e : facts.explained) proved = proved && e.explanation.proved;
  }
  if (!proved) code = std::max<int>(code, kExitTestsFailed);
  if (!all.empty()) sink_to(fd)(explain_verdict(all, style));
  if (!command.json.empty()) {
    Status written = write_file(command.json, dump_json(explain_to_json(all)));
    if (!written) return report_error(written.error());
  }
  return interrupted() ? kExitInterrupted : code;
}

int explain_all(const ExplainCommand& command, const CommonOptions& common) {
  // The report is what was asked for: standard output, unless JSON goes there.
  const int fd = command.json == "-" ? kScreen : 1;
  const TerminalFacts terminal = describe_terminal(kScreen, common.color_choice());
  const Style style = describe_terminal(fd, common.color_choice()).style;
  Explaining explaining(command, common, terminal);
  auto groups = explaining.load();
  if (!groups) return report_error(groups.error());
  if (groups->empty()) {
    say("The last search found no dependent test: there is nothing to explain.");
  }
  std::vector<ExplainFacts> all;
  int code = kExitOk;
  for (DependenceGroup& group : *groups) {
    Status same_build = check_build(group);
    if (!same_build) {
      code = std::max(code, report_error(same_build.error()));
      continue;
    }
    auto facts = explaining.explain_group(group);
    if (!facts) {
      code = std::max(code, report_error(facts.error()));
    } else {
      print_group(*facts, style, fd);
      all.push_back(std::move(*facts));
    }
    if (interrupted()) break;
  }
  return finish(command, all, style, fd, code);
}

}  // namespace

std::function<int()> declare_explain(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<ExplainCommand>();
  c->run.timeout = "10s";
  set.add_option("id", c->ids, "Dependences, as D3 (default: all that the last search found)");
  set.add_flag("--again", c->again,
               "Explain anew what was explained in this build, instead of showing it again");
  set.add_flag("--no-sites", c->no_sites, "Do not look for where the state is written and read");
  set.add_option("--proofs", c->options.proofs,
                 "How often resetting the state must change the result back")
      ->between(1, 100)
      ->show_default();
  set.add_option("--budget", c->budget, "Time for all of them, 0 for none")->show_default();
  c->timeout_option = set.add_option("--timeout", c->run.timeout,
                                     "Time limit of one test, 0 for none (60s where tests are "
                                     "processes)")
                          ->show_default();
  set.add_option("--start-timeout", c->run.start_timeout, "Time limit from start to the first test")
      ->show_default();
  set.add_option("--private-fs", c->run.private_fs,
                 "Copy-on-write view of the working and temporary directories: auto, on, off")
      ->one_of({"auto", "on", "off"})
      ->show_default();
  set.add_option("--private-dir", c->run.private_dirs,
                 "One more directory to cover; may be repeated")
      ->one_at_a_time();
  set.add_option("--json", c->json, "Write JSON to this file, - for standard output")
      ->value_name("FILE");
  add_db_option(set, common);
  return [c, &common] { return explain_all(*c, common); };
}

}  // namespace gordian
