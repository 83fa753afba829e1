// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a command is: a name, a line of help, and a function that declares its options and returns
// what to do with them. One file per command; the table is in cli/commands.cc.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "config/config_file.h"
#include "model/target.h"
#include "report/terminal_style.h"

namespace gordian {

inline constexpr const char* kDefaultDatabase = ".gordian/gordian.db";

/// Options that every command has.
struct CommonOptions {
  std::string color = "auto";
  std::string db;       ///< empty: .gordian/gordian.db below the current directory
  std::string profile;  ///< of .gordian.toml; empty: GORDIAN_PROFILE, else default
  std::string
      config_file;  ///< --config: obeyed whoever's it is; empty: GORDIAN_CONFIG, else looked for
  bool no_color = false;
  ProjectConfig config;                       ///< what .gordian.toml says; without a file: nothing
  std::string config_passed_over;             ///< one that is not obeyed, and why: a sentence
  std::vector<std::string> commands_of_file;  ///< sentences: commands that the file has us run
  std::vector<std::string> words;             ///< the whole command line, for the record
  std::vector<std::string> target_args;       ///< what followed "--"

  ColorChoice color_choice() const;
  std::string db_path() const;
};

struct Command {
  const char* name;
  const char* help;
  /// Adds options to `set` and returns the action, to be called after parsing; its result is the
  /// exit code.
  std::function<int()> (*declare)(OptionSet& set, CommonOptions& common);
  bool for_programs = false;  ///< not in the list of commands: no person types it
  /// .gordian.toml and the environment give values to its options; a broken file is an error.
  bool has_settings = true;
};

const std::vector<Command>& commands();

/// --db, in the same words everywhere.
void add_db_option(OptionSet& set, CommonOptions& common);
/// --level, see app/level.h.
void add_level_option(OptionSet& set, std::string& level);

/// Public, documented in docs/using.md, never renumbered.
enum ExitCode : int {
  kExitOk = 0,             ///< all as expected
  kExitTestsFailed = 1,    ///< tests failed; dependences were found, not explained or not repaired;
                           ///< nothing was searched
  kExitUsage = 2,          ///< the command line, or a file it names, is wrong
  kExitTarget = 3,         ///< the target could not be run or built
  kExitInternal = 4,       ///< our fault, or the machine's
  kExitInterrupted = 130,  ///< Ctrl-C; results so far are kept
};

inline int exit_code(const Error& error) {
  switch (error.kind) {
    case ErrorKind::usage:
    case ErrorKind::no_match:
      return kExitUsage;
    case ErrorKind::target:
    case ErrorKind::not_a_test:
    case ErrorKind::unhookable:
      return kExitTarget;
    case ErrorKind::interrupted:
      return kExitInterrupted;
    case ErrorKind::internal:
      break;
  }
  return kExitInternal;
}

/// Prints "gordian: message" and the hint to stderr; returns the exit code.
int report_error(const Error& error);

/// Ends a command that writes last: the exit code is `code`, unless that failed.
int ended_with(const Status& written, int code = kExitOk);
/// Writes the result of a command to standard output.
int print_result(std::string_view text, int code = kExitOk);
/// Of programs that a command passes over: what they are, and why.
void say_left_out(const std::vector<std::string>& sentences);

/// The exit code of a command for several targets. One of them may be a program of the build that
/// is no test binary, or has none of the tests: its error counts only if there was nothing else.
class ExitSum {
 public:
  /// Reports the error, too.
  void count(const Error& error, const Target& target);
  void count(int code) { worst_ = std::max(worst_, code); }
  /// `any`: a target had results.
  int code(bool any) const { return any ? worst_ : std::max(worst_, passed_over_); }

 private:
  int worst_ = kExitOk, passed_over_ = kExitOk;
};

/// One line for people, to standard error. Whatever names are in it: what a terminal would act on,
/// or what would begin another line, becomes visible. All messages go this way.
void say(std::string_view line);

std::function<int()> declare_list(OptionSet& set, CommonOptions& common);
std::function<int()> declare_run(OptionSet& set, CommonOptions& common);
std::function<int()> declare_detect(OptionSet& set, CommonOptions& common);
std::function<int()> declare_explain(OptionSet& set, CommonOptions& common);
std::function<int()> declare_fix(OptionSet& set, CommonOptions& common);
std::function<int()> declare_graph(OptionSet& set, CommonOptions& common);
std::function<int()> declare_ignore(OptionSet& set, CommonOptions& common);
std::function<int()> declare_prioritize(OptionSet& set, CommonOptions& common);
std::function<int()> declare_impact(OptionSet& set, CommonOptions& common);
std::function<int()> declare_reduce(OptionSet& set, CommonOptions& common);
std::function<int()> declare_shard(OptionSet& set, CommonOptions& common);
std::function<int()> declare_export(OptionSet& set, CommonOptions& common);
std::function<int()> declare_report(OptionSet& set, CommonOptions& common);
std::function<int()> declare_replay(OptionSet& set, CommonOptions& common);
std::function<int()> declare_doctor(OptionSet& set, CommonOptions& common);
std::function<int()> declare_config(OptionSet& set, CommonOptions& common);
std::function<int()> declare_help(OptionSet& set, CommonOptions& common);
std::function<int()> declare_completion(OptionSet& set, CommonOptions& common);
std::function<int()> declare_complete_ids(OptionSet& set, CommonOptions& common);
std::function<int()> declare_man(OptionSet& set, CommonOptions& common);
std::function<int()> declare_cxxflags(OptionSet& set, CommonOptions& common);
std::function<int()> declare_ctest_discover(OptionSet& set, CommonOptions& common);
std::function<int()> declare_ctest_serve(OptionSet& set, CommonOptions& common);

/// nullopt: go on, inside of a new PID namespace, or here where there can be none. A value: the
/// program has run inside, and this is its exit code. Call before there is a thread or a child.
std::optional<int> continue_in_pid_namespace();

/// The whole program: parse, dispatch, exit code.
int run_cli(int argc, char** argv);

// The table of commands as a parser: each with the options that all have, in groups.

struct Program {
  struct Action {
    OptionSet* options;
    const Command* command;
    std::function<int()> run;
  };
  std::unique_ptr<CommandParser> parser;
  std::vector<Action> actions;

  /// What was parsed; nullptr: nothing yet.
  const Action* chosen() const;
};

/// `common` must outlive it.
Program make_program(CommonOptions& common);

/// Parses; an error says what was probably meant. Asking for help or for the version is no error:
/// the text is in `answer`.
Status parse_words(Program& program, std::vector<std::string> words, std::string& answer);

}  // namespace gordian
