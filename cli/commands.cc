// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>

#include "base/edit_distance.h"
#include "base/result.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "engine/interrupt.h"

namespace gordian {
namespace {

constexpr const char* kAbout =
    "Gordian finds, explains, isolates and repairs test dependence: tests whose result depends on\n"
    "which tests ran before them. It works on the test binary as it is.";

constexpr const char* kFooter =
    "Exit codes: 0 all as expected, 1 tests failed, dependences found, not explained or not\n"
    "repaired, 2 usage, 3 the target could not be run or built, 4 internal error,\n"
    "130 interrupted (results so far are kept).";

/// A first word that is no command: say which one was probably meant.
int unknown_command(const std::string& word) {
  std::vector<std::string> names = {"help"};
  for (const Command& command : commands()) {
    if (!command.for_programs) names.emplace_back(command.name);
  }
  auto close = closest_word(word, names);
  return report_error(usage_error(
      "there is no command '" + word + "'",
      close ? "did you mean 'gordian " + *close + "'?" : "'gordian --help' lists the commands"));
}

bool is_command(const std::string& word) {
  return std::any_of(commands().begin(), commands().end(),
                     [&word](const Command& c) { return word == c.name; });
}

/// "gordian help run" is "gordian run --help".
std::vector<std::string> without_help_word(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

int parse_and_run(std::vector<std::string> words, CommonOptions& common) {
  CLI::App app(kAbout, "gordian");
  app.set_version_flag("--version", std::string("gordian ") + GORDIAN_VERSION);
  app.footer(kFooter);
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, std::function<int()>>> actions;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    sub->footer(kFooter);
    if (command.for_programs) sub->group("");
    sub->add_option("--color", common.color, "Colours: auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
    actions.emplace_back(sub, command.declare(*sub, common));
  }
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes its arguments back to front
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::string command = words.empty() ? "" : words.back() + " ";
    return report_error(
        usage_error(error.what(), "'gordian " + command + "--help' lists the options"));
  }
  for (auto& [sub, action] : actions) {
    if (sub->parsed()) return action();
  }
  return kExitUsage;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"list", "List the tests of test binaries, or of a CMake build", declare_list},
      {"run", "Run tests in any order, with the isolation you choose", declare_run},
      {"detect", "Find dependent tests: role, shortest witness, polluters, cleaners",
       declare_detect},
      {"explain",
       "Find the state that carries a dependence: its values, writer, reader, and a proof",
       declare_explain},
      {"graph", "Show data dependences: which test reads what which other one has written",
       declare_graph},
      {"ignore", "Say which states carry no data dependence (in .gordian.toml)", declare_ignore},
      {"prioritize", "Make an order that covers soon, and keeps to dependences if you like",
       declare_prioritize},
      {"impact", "Count the tests whose results change in prioritised orders", declare_impact},
      {"reduce", "Find the tests that cover as much as all of them", declare_reduce},
      {"report", "Tell again what searches have found: text, JSON, or one HTML page",
       declare_report},
      {"replay", "Run a stored order again, in a debugger if you like", declare_replay},
      {"doctor", "Say what this machine and a binary support", declare_doctor},
      {"cxxflags", "Print the flags for a traced build, or for one that counts coverage",
       declare_cxxflags},
      {"ctest-discover", "Write the tests of a binary for ctest (gordian_discover_tests does it)",
       declare_ctest_discover, true},
      {"ctest-serve", "Run tests for gordian-ctest, which starts this", declare_ctest_serve, true},
  };
  return table;
}

ColorChoice CommonOptions::color_choice() const {
  return parse_color_choice(color).value_or(ColorChoice::automatic);
}

std::string CommonOptions::db_path() const {
  return db.empty() ? ".gordian/gordian.db" : db;
}

int report_error(const Error& error) {
  std::fprintf(stderr, "gordian: %s\n", error.message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "  hint: %s\n", error.hint.c_str());
  return exit_code(error);
}

bool may_be_passed_over(const Error& error, const Target& target) {
  return error.kind == ErrorKind::no_match ||
         (error.kind == ErrorKind::not_a_test && !target.origin.empty());
}

int run_cli(int argc, char** argv) {
  CommonOptions common;
  common.words.assign(argv, argv + argc);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // What follows "--" is the test binary's, whatever it looks like.
  auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes != words.end()) {
    common.target_args.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  words = without_help_word(std::move(words));
  if (words.empty()) words = {"--help"};
  if (!words.front().starts_with("-") && !is_command(words.front())) {
    return unknown_command(words.front());
  }
  catch_interrupts();
  try {
    return parse_and_run(std::move(words), common);
  } catch (const std::exception& error) {
    return report_error(internal_error(error.what(), "this is a bug in Gordian; please report it"));
  }
}

}  // namespace gordian
