// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/fix_delivery.h"
#include "app/fix_session.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "report/json.h"
#include "report/live_display.h"
#include "report/repair_report.h"
#include "runtime/interrupt.h"

namespace gordian {
namespace {

struct FixCommand {
  std::vector<std::string> ids, strategies;
  std::string json, source, build_timeout = "0", budget = "60s";
  RunOptions run;
  FixOptions options;
  FixDelivery delivery;
  bool again = false, verbose = false;
};

Result<FixOptions> make_options(const FixCommand& command, const CommonOptions& common) {
  FixOptions options = command.options;
  auto request = to_request(command.run);
  if (!request) return request.error();
  auto limit = parse_duration(command.build_timeout);
  if (!limit) return limit.error();
  auto budget = parse_duration(command.budget);
  if (!budget) return budget.error();
  options.project.source_root = command.source;
  options.repeat.budget = *budget;
  options.repeat.db = common.db_path();
  options.engine = request->engine;
  options.engine.overrides = common.config.overrides;
  options.build_limit = std::chrono::ceil<std::chrono::seconds>(*limit);
  options.facts_cache = std::filesystem::path(common.db_path()).parent_path() / "facts";
  for (const std::string& word : command.strategies) {
    auto strategy = parse_strategy(word);
    if (strategy) options.repair.strategies.only.push_back(*strategy);
  }
  return options;
}

/// What the user typed, but for what makes it anew or writes it elsewhere.
std::string apply_command(const CommonOptions& common) {
  std::vector<std::string> words = {"gordian"};
  for (std::size_t i = 1; i < common.words.size(); ++i) {
    const std::string& word = common.words[i];
    if (word == "--diff" || word == "--json") {
      ++i;  // its file
    } else if (word != "--again" && word != "--verbose" && word != "-v" &&
               !word.starts_with("--diff=") && !word.starts_with("--json=")) {
      words.push_back(word);
    }
  }
  words.emplace_back("--apply");
  return shell_quoted(words);
}

bool all_repaired(const FixFacts& fix) {
  return std::all_of(fix.repairs.begin(), fix.repairs.end(),
                     [&fix](const Repair& repair) { return is_repaired(repair, fix.repairs); });
}

void print_blocks(const FixReport& report, bool verbose, const Style& style, int fd) {
  std::string text;
  for (const Notice& notice : report.notices) text += notice_line(notice, style);
  if (!text.empty()) text += "\n";
  sink_to(fd)(text + repair_blocks(report, verbose, style));
}

int finish_fix(const FixCommand& command, std::vector<FixReport>& reports, const Style& style,
               int fd, int code) {
  Status delivered = deliver(reports, command.delivery);
  for (const FixReport& report : reports) {
    if (is_last_of_its_source(report, reports)) sink_to(fd)(repair_next_steps(report, style));
    if (!all_repaired(report.fix)) code = std::max<int>(code, kExitTestsFailed);
  }
  for (const FixReport& report : reports) sink_to(fd)(repair_verdict(report, style));
  if (!command.json.empty() && !reports.empty()) {
    auto json = all_to_json("fixes", reports, fix_to_json);
    Status written = write_file(command.json, dump_json(json));
    if (!written) return report_error(written.error());
  }
  if (!delivered) code = std::max(code, report_error(delivered.error()));
  return interrupted() ? kExitInterrupted : code;
}

int fix_all(const FixCommand& command, const CommonOptions& common) {
  if (command.json == "-" && command.delivery.diff == "-") {
    return report_error(
        usage_error("--json - and --diff - both want standard output", "name a file for one"));
  }
  const int fd = command.json == "-" || command.delivery.diff == "-" ? kScreen : 1;
  const Style style = describe_terminal(fd, common.color_choice()).style;
  auto options = make_options(command, common);
  if (!options) return report_error(options.error());
  Screen screen(common);
  FixSession session(std::move(*options), common.db_path(), command.again, screen);
  auto groups = session.load(command.ids);
  if (!groups) return report_error(groups.error());
  if (groups->empty()) {
    say("The last search found no dependent test: there is nothing to repair.");
  }
  std::vector<FixReport> reports;
  int code = kExitOk;
  for (DependenceGroup& group : *groups) {
    auto report = session.fix(group);
    if (report) {
      report->apply_command = apply_command(common);
      print_blocks(*report, command.verbose, style, fd);
      reports.push_back(std::move(*report));
    } else if (!interrupted()) {
      code = std::max(code, report_error(report.error()));
    }
    if (interrupted()) break;
  }
  return finish_fix(command, reports, style, fd, code);
}

std::vector<std::string> strategy_words() {
  std::vector<std::string> words;
  for (Strategy strategy : all_strategies()) words.emplace_back(to_string(strategy));
  return words;
}

void add_repair_options(OptionSet& set, FixCommand& c) {
  set.add_option("--strategy", c.strategies,
                 "Only this rung of the ladder; may be repeated: " +
                     fmt::format("{}", fmt::join(strategy_words(), ", ")))
      ->one_of(strategy_words())
      ->one_at_a_time()
      ->value_name("NAME");
  set.add_flag("--allow-product-code", c.options.repair.strategies.allow_product_code,
               "Also change more than tests: add an accessor where a test cannot reach the state");
  set.add_flag("--accept-partly", c.options.repair.accept_partly,
               "Keep a patch that passes some checks only, or that only declares the dependence, "
               "if none is better");
  set.add_option("--orders", c.options.repair.random_orders,
                 "How many random orders are run before and after")
      ->between(0, 10000)
      ->show_default();
  set.add_option("--seed", c.options.repair.seed, "The seed of the random orders")->show_default();
  set.add_option("--confirm", c.options.repair.confirmations,
                 "How often each order must show the same result")
      ->between(1, 100)
      ->show_default();
  set.add_flag("--no-facts", c.options.without_compiler,
               "Do not ask Clang (gordian-facts) about the source: debug information alone");
}

void add_build_options(OptionSet& set, FixCommand& c) {
  set.add_option("--build", c.options.project.build_command,
                 "How the program is built, from here; a CMake build is found by itself")
      ->value_name("COMMAND");
  set.add_option("--source", c.source, "Where the sources are (default: the checkout around them)")
      ->value_name("DIR");
  set.add_option("--build-timeout", c.build_timeout, "Time limit of one build, 0 for none")
      ->show_default();
  add_order_jobs_option(set, c.run.jobs);
  set.add_option("--timeout", c.run.timeout, "Time limit of one test, 0 for none")->show_default();
  set.add_option("--start-timeout", c.run.start_timeout, "Time limit from start to the first test")
      ->show_default();
}

}  // namespace

std::function<int()> declare_fix(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<FixCommand>();
  c->run.timeout = "10s";
  set.add_option("id", c->ids, "Dependences, as D3 (default: all that the last search found)");
  set.add_flag("--all", c->options.repeat.on,
               "Then search the patched program and repair what is found there, until nothing is "
               "left or nothing helps");
  set.add_option("--budget", c->budget, "--all: time for one search, 0 for none")->show_default();
  set.add_flag("--apply", c->delivery.apply,
               "Write the patches into the source, all or none; else nothing there is changed");
  set.add_option("--diff", c->delivery.diff, "Write the patch to this file, - for standard output")
      ->value_name("FILE");
  set.add_flag("--allow-dirty", c->delivery.allow_dirty,
               "--apply: also into files with changes that git has not committed");
  add_build_options(set, *c);
  add_repair_options(set, *c);
  set.add_flag("--again", c->again,
               "Repair anew what was repaired in this source and build, instead of showing it "
               "again");
  set.add_flag("-v,--verbose", c->verbose,
               "Every check, every patch that was tried, and every strategy that had nothing to "
               "offer");
  add_json_option(set, c->json);
  add_db_option(set, common);
  return [c, &common] { return fix_all(*c, common); };
}

}  // namespace gordian
