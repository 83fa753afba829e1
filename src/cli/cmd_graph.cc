// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <memory>

#include "app/detect_session.h"
#include "app/level.h"
#include "base/files.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "report/flow_report.h"
#include "report/json.h"

namespace gordian {
namespace {

struct GraphCommand {
  std::vector<std::string> targets;
  std::string filter, json, dot, level = "binary";
  RunOptions run;
  DetectRequest request;
  bool trace = false, no_db = false, all = false;
  Option* timeout_option = nullptr;
};

Result<DetectRequest> graph_request(const GraphCommand& command, const CommonOptions& common) {
  DetectRequest request = command.request;
  RunOptions run = command.run;
  if (!command.timeout_option->is_given()) use_timeout_of_level(command.level, run.timeout);
  auto engine = to_request(run);
  if (!engine) return engine.error();
  request.engine = engine->engine;
  request.filter = TestFilter(command.filter);
  request.flow_source = command.trace ? FlowSource::trace : FlowSource::watch;
  request.engine.overrides = common.config.overrides;
  request.ignore = common.config.ignore;
  return request;
}

Status write_graphs(const GraphCommand& command, const std::vector<GraphFacts>& all) {
  if (all.empty()) return {};
  if (!command.json.empty()) {
    auto json = all_to_json("graphs", all, graph_to_json);
    if (Status written = write_file(command.json, dump_json(json)); !written) return written;
  }
  if (command.dot.empty()) return {};
  std::string dot;
  for (const GraphFacts& facts : all) dot += graph_to_dot(facts);
  return write_file(command.dot, dot);
}

int graph_all(const GraphCommand& command, const CommonOptions& common) {
  auto request = graph_request(command, common);
  if (!request) return report_error(request.error());
  auto selection = resolve_at_level(command.level, command.targets, common.target_args);
  if (!selection) return report_error(selection.error());
  Screen screen(common);
  auto session = DetectSession::open(*request, command.no_db ? "" : common.db_path(), screen);
  if (!session) return report_error(session.error());
  std::vector<GraphFacts> all;
  ExitSum sum;
  for (const Target& target : selection->targets) {
    auto facts = session->graph(target);
    if (!facts) {
      sum.count(facts.error(), target);
      if (facts.error().kind == ErrorKind::interrupted) break;
      continue;
    }
    screen.print(graph_text(*facts, screen.style(), command.all));
    all.push_back(std::move(*facts));
  }
  return ended_with(write_graphs(command, all), sum.code(!all.empty()));
}

}  // namespace

std::function<int()> declare_graph(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<GraphCommand>();
  c->run.timeout = "10s";
  add_targets_argument(set, c->targets);
  add_level_option(set, c->level);
  set.add_flag("--trace", c->trace,
               "Every load and store of a binary built with `gordian cxxflags`; else the binary is "
               "watched as it is");
  set.add_flag(
      "--both-ways", c->request.both_ways,
      "Also of the default order backwards: what is written behind its reader shows there");
  set.add_flag("--again", c->request.full, "Collect, even if the same build was collected before");
  set.add_flag("--all", c->all, "Print every data dependence, not the first few");
  add_filter_option(set, c->filter);
  set.add_flag("--also-run-disabled", c->request.also_disabled, "DISABLED_ tests too");
  c->timeout_option = set.add_option("--timeout", c->run.timeout,
                                     "Time limit of one test, 0 for none (60s with --level "
                                     "process)")
                          ->show_default();
  add_private_options(set, c->run);
  set.add_option("--dot", c->dot,
                 "Write the graph for Graphviz to this file, - for standard output")
      ->value_name("FILE");
  add_json_option(set, c->json);
  set.add_flag("--no-db", c->no_db, "Neither read nor store what is collected");
  add_db_option(set, common);
  return [c, &common] { return graph_all(*c, common); };
}

}  // namespace gordian
