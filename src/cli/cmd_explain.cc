// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <memory>

#include "app/explain_session.h"
#include "base/files.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "report/explain_report.h"
#include "report/json.h"
#include "runtime/interrupt.h"

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

Result<ExplainRequest> explain_request(const ExplainCommand& command, const CommonOptions& common) {
  auto run = to_request(command.run);
  if (!run) return run.error();
  auto budget = parse_duration(command.budget);
  if (!budget) return budget.error();
  ExplainRequest request{command.options, run->engine, !command.timeout_option->is_given(),
                         command.again};
  request.options.sites = !command.no_sites;
  request.options.budget = *budget;
  request.engine.overrides = common.config.overrides;
  return request;
}

void print_group(const ExplainFacts& facts, const Style& style, int fd) {
  SourceFiles files(facts.binary);
  auto source = [&files](const std::string& file) -> const std::vector<std::string>& {
    return files.lines(file);
  };
  sink_to(fd)(explanation_blocks(facts, source, style));
}

int finish_explain(const ExplainCommand& command, const std::vector<ExplainFacts>& all,
                   const Style& style, int fd, int code) {
  bool proved = true;
  for (const ExplainFacts& facts : all) {
    for (const Dependence& d : facts.explained) proved = proved && d.explained().proved;
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
  auto request = explain_request(command, common);
  if (!request) return report_error(request.error());
  Screen screen(common);
  const Style style = describe_terminal(fd, common.color_choice()).style;
  ExplainSession session(std::move(*request), common.db_path(), screen);
  auto groups = session.load(command.ids);
  if (!groups) return report_error(groups.error());
  if (groups->empty()) {
    say("The last search found no dependent test: there is nothing to explain.");
  }
  std::vector<ExplainFacts> all;
  int code = kExitOk;
  for (DependenceGroup& group : *groups) {
    auto facts = session.explain(group);
    if (!facts) {
      code = std::max(code, report_error(facts.error()));
    } else {
      print_group(*facts, style, fd);
      all.push_back(std::move(*facts));
    }
    if (interrupted()) break;
  }
  return finish_explain(command, all, style, fd, code);
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
  add_private_options(set, c->run)->one_at_a_time();
  add_json_option(set, c->json);
  add_db_option(set, common);
  return [c, &common] { return explain_all(*c, common); };
}

}  // namespace gordian
