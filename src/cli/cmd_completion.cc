// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Scripts that complete gordian's command line in a shell, made of what commands and options
// declare. Words that a file or the database holds are asked for when they are needed: files of the
// shell, ids (`D3`, `R7`) of the hidden command `gordian complete-ids`.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/command_facts.h"
#include "cli/help_text.h"
#include "store/dependence_store.h"
#include "store/run_store.h"

namespace gordian {
namespace {

/// How each shell completes a value of that kind; one of some words is said by a function.
struct ShellWords {
  ValueKind kind;
  std::string_view bash, zsh, fish;
};
constexpr std::array kShellWords = {
    ShellWords{ValueKind::none, ":", " ", ""},
    ShellWords{ValueKind::any, ":", " ", " -x"},
    ShellWords{ValueKind::file, "_gordian_files", "_files", " -r -F"},
    ShellWords{ValueKind::directory, "_gordian_files -d", "_files -/",
               " -x -a '(__fish_complete_directories)'"},
    ShellWords{ValueKind::id, "_gordian_ids", "_gordian_ids", " -x -a '(__gordian_ids)'"},
};

const ShellWords& shell_words_of(ValueKind kind) {
  const auto* found = std::find_if(kShellWords.begin(), kShellWords.end(),
                                   [kind](const ShellWords& row) { return row.kind == kind; });
  return found == kShellWords.end() ? kShellWords.front() : *found;
}

std::string joined_words(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// What the arguments of a command are, as far as a shell can help.
ValueKind argument_kind(const CommandFacts& command) {
  return command.arguments.empty() ? ValueKind::none : command.arguments.front().kind;
}

/// The words that its first argument can be; empty: any.
std::vector<std::string> argument_words(const CommandFacts& command, const CompletionFacts& facts) {
  if (command.name == "help") {
    std::vector<std::string> words = facts.topics;
    for (const CommandFacts& each : facts.commands) words.push_back(each.name);
    return words;
  }
  return command.arguments.empty() ? std::vector<std::string>() : command.arguments.front().choices;
}

std::vector<std::string> option_words(const CommandFacts& command) {
  std::vector<std::string> words;
  for (const OptionFacts& option : command.options) {
    if (!option.name.empty()) words.push_back("--" + option.name);
    if (!option.short_name.empty()) words.push_back("-" + option.short_name);
  }
  return words;
}

std::string pattern(const OptionFacts& option) {
  std::string text = option.name.empty() ? "" : "--" + option.name;
  if (!option.short_name.empty()) text += (text.empty() ? "-" : "|-") + option.short_name;
  return text;
}

std::string bash_words(const std::vector<std::string>& words) {
  return fmt::format("_gordian_words '{}'", joined_words(words));
}

/// What bash does behind an option that takes a value.
std::string bash_value(const OptionFacts& option) {
  return option.kind == ValueKind::choice ? bash_words(option.choices)
                                          : std::string(shell_words_of(option.kind).bash);
}

std::string bash_argument(const CommandFacts& command, const CompletionFacts& facts) {
  const auto words = argument_words(command, facts);
  return words.empty() ? std::string(shell_words_of(argument_kind(command)).bash)
                       : bash_words(words);
}

std::string bash_command(const CommandFacts& command, const CompletionFacts& facts) {
  std::string values;
  for (const OptionFacts& option : command.options) {
    if (option.kind == ValueKind::none || option.optional_value) continue;
    values += fmt::format("        {}) {}; return ;;\n", pattern(option), bash_value(option));
  }
  return fmt::format(
      "    {})\n"
      "      case \"$prev\" in\n{}"
      "      esac\n"
      "      if [[ $cur == -* ]]; then _gordian_words '{}'; return; fi\n"
      "      {} ;;\n",
      command.name, values, joined_words(option_words(command)), bash_argument(command, facts));
}

constexpr std::string_view kBashHead =
    R"sh(# bash completion for gordian; made by `gordian completion bash`
_gordian_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_gordian_files() {
  mapfile -t COMPREPLY < <(compgen "${1:--f}" -- "$cur")
  type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
}
_gordian_ids() {
  local db='' i
  for ((i = 1; i + 1 < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == --db ]] && db=${COMP_WORDS[i + 1]}
  done
  _gordian_words "$("${COMP_WORDS[0]}" complete-ids ${db:+--db "$db"} 2>/dev/null)"
}
_gordian() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --) _gordian_files; return ;;
      -*) ;;
      *) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi
  case $command in
)sh";

/// Inside of '...' and of [...] or (...) of _arguments.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string zsh_action(ValueKind kind, const std::vector<std::string>& choices) {
  return kind == ValueKind::choice ? "(" + joined_words(choices) + ")"
                                   : std::string(shell_words_of(kind).zsh);
}

/// "'(-j --jobs)'{-j,--jobs}'[Tests at a time]:N:( )'", as _arguments wants it.
std::string option_spec(const OptionFacts& option) {
  const std::string value =
      option.kind == ValueKind::none
          ? ""
          : fmt::format("{}:{}:{}", option.optional_value ? ":" : "", option.value_name,
                        zsh_action(option.kind, option.choices));
  const std::string rest = fmt::format("'[{}]{}'", escaped(short_help(option.help)), value);
  const std::string many = option.repeated ? "*" : "";
  if (option.name.empty()) return fmt::format("'{}-{}'{}", many, option.short_name, rest);
  const std::string equals = option.kind == ValueKind::none ? ""
                             : option.optional_value        ? "=-"
                                                            : "=";
  if (option.short_name.empty())
    return fmt::format("'{}--{}{}'{}", many, option.name, equals, rest);
  return fmt::format("'(-{0} --{1})'{{-{0},--{1}{2}}}{3}", option.short_name, option.name, equals,
                     rest);
}

std::string command_case(const CommandFacts& command, const CompletionFacts& facts) {
  std::string text = fmt::format("        {})\n          _arguments \\\n", command.name);
  for (const OptionFacts& option : command.options) {
    text += "            " + option_spec(option) + " \\\n";
  }
  const auto words = argument_words(command, facts);
  for (const OptionFacts& argument : command.arguments) {
    text += fmt::format("            '{}:{}:{}' \\\n", argument.repeated ? "*" : "1", argument.name,
                        words.empty() ? zsh_action(argument.kind, argument.choices)
                                      : "(" + joined_words(words) + ")");
  }
  return text + "            && return ;;\n";
}

constexpr std::string_view kZshHead = R"sh(#compdef gordian
# zsh completion for gordian; made by `gordian completion zsh`
_gordian_ids() {
  local -a ids
  ids=(${(f)"$(${words[1]:-gordian} complete-ids ${opt_args[--db]:+--db} ${opt_args[--db]} 2>/dev/null)"})
  compadd -a ids
}
_gordian() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  local -a commands
  commands=(
)sh";
constexpr std::string_view kZshMiddle = R"sh(  )
  _arguments -C '--help[Show help]' '--version[Show the version]' '1:command:->command' '*::argument:->arguments'
  case $state in
    command) _describe command commands ;;
    arguments)
      case $line[1] in
)sh";
constexpr std::string_view kZshTail = R"sh(      esac ;;
  esac
}
if [[ $funcstack[1] == _gordian ]]; then _gordian "$@"; else compdef _gordian gordian; fi
)sh";

std::string fish_word(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

/// What follows the name of an option.
std::string fish_value(const OptionFacts& option) {
  return option.kind == ValueKind::choice ? " -x -a " + fish_word(joined_words(option.choices))
                                          : std::string(shell_words_of(option.kind).fish);
}

std::string command_lines(const CommandFacts& command, const CompletionFacts& facts) {
  const std::string begin =
      fmt::format("complete -c gordian -n '__fish_seen_subcommand_from {}'", command.name);
  std::string text;
  for (const OptionFacts& option : command.options) {
    text += begin;
    if (!option.name.empty()) text += " -l " + option.name;
    if (!option.short_name.empty()) text += " -s " + option.short_name;
    if (!option.optional_value) text += fish_value(option);
    text += " -d " + fish_word(short_help(option.help)) + "\n";
  }
  const auto words = argument_words(command, facts);
  const ValueKind kind = argument_kind(command);
  if (!words.empty()) {
    text += begin + " -a " + fish_word(joined_words(words)) + "\n";
  } else if (kind == ValueKind::file) {
    text += begin + " -F\n";
  } else if (kind == ValueKind::id) {
    text += begin + " -a '(__gordian_ids)'\n";
  }
  return text;
}

constexpr std::string_view kFishHead =
    R"sh(# fish completion for gordian; made by `gordian completion fish`
function __gordian_ids
  set -l words (commandline -opc)
  set -l at (contains -i -- --db $words)
  and set -l db --db $words[(math $at + 1)]
  $words[1] complete-ids $db 2>/dev/null
end
complete -c gordian -f
complete -c gordian -n __fish_use_subcommand -l help -d 'Show help'
complete -c gordian -n __fish_use_subcommand -l version -d 'Show the version'
)sh";

std::string script_for(const std::string& shell, const CommandParser& program) {
  CompletionFacts facts{all_command_facts(program), {}};
  for (const HelpTopic& topic : help_topics()) facts.topics.emplace_back(topic.name);
  return shell == "bash"  ? bash_completion(facts)
         : shell == "zsh" ? zsh_completion(facts)
                          : fish_completion(facts);
}

/// One id a line. A shell that completes wants no complaints: what cannot be read has no ids.
int print_ids(const CommonOptions& common) {
  constexpr int kMostRuns = 50;
  std::error_code none;
  if (!std::filesystem::exists(common.db_path(), none)) return kExitOk;
  std::string text;
  if (auto store = DependenceStore::open(common.db_path())) {
    auto numbers = store->numbers();
    for (DependenceId id : numbers ? *numbers : std::vector<DependenceId>()) {
      text += to_string(id) + "\n";
    }
  }
  if (auto store = RunStore::open(common.db_path())) {
    auto runs = store->recent_runs(kMostRuns);
    for (const RunSummary& run : runs ? *runs : std::vector<RunSummary>()) {
      text += to_string(run.id) + "\n";
    }
  }
  return print_result(text);
}

}  // namespace

std::string short_help(std::string_view help) {
  constexpr std::size_t kMost = 60;
  const std::size_t end = std::min(help.find_first_of(";:("), help.size());
  std::string text(help.substr(0, end));
  while (text.ends_with(' ') || text.ends_with(',')) text.pop_back();
  if (text.size() <= kMost) return text;
  text.resize(text.rfind(' ', kMost));
  while (text.ends_with(',')) text.pop_back();
  return text + " ...";
}

std::string bash_completion(const CompletionFacts& facts) {
  std::vector<std::string> names;
  std::string cases;
  for (const CommandFacts& command : facts.commands) {
    names.push_back(command.name);
    cases += bash_command(command, facts);
  }
  return std::string(kBashHead) +
         fmt::format("    '') _gordian_words '{} --help --version' ;;\n", joined_words(names)) +
         cases + "  esac\n}\ncomplete -F _gordian gordian\n";
}

std::string zsh_completion(const CompletionFacts& facts) {
  std::string commands, cases;
  for (const CommandFacts& command : facts.commands) {
    commands += fmt::format("    '{}:{}'\n", command.name, escaped(short_help(command.help)));
    cases += command_case(command, facts);
  }
  return std::string(kZshHead) + commands + std::string(kZshMiddle) + cases + std::string(kZshTail);
}

std::string fish_completion(const CompletionFacts& facts) {
  std::string text(kFishHead);
  for (const CommandFacts& command : facts.commands) {
    text += fmt::format("complete -c gordian -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_word(short_help(command.help)));
  }
  for (const CommandFacts& command : facts.commands) text += command_lines(command, facts);
  return text;
}

std::function<int()> declare_completion(OptionSet& set, CommonOptions&) {
  auto shell = std::make_shared<std::string>();
  set.add_option("shell", *shell, "bash, zsh or fish")->one_of({"bash", "zsh", "fish"})->required();
  return [shell, &set] { return print_result(script_for(*shell, set.program())); };
}

std::function<int()> declare_complete_ids(OptionSet& set, CommonOptions& common) {
  add_db_option(set, common);
  return [&common] { return print_ids(common); };
}

}  // namespace gordian
