// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>

namespace gordian {
namespace {

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

/// What bash does behind an option that takes a value.
std::string bash_value(const OptionFacts& option) {
  switch (option.kind) {
    case ValueKind::choice:
      return fmt::format("_gordian_words '{}'", joined_words(option.choices));
    case ValueKind::file:
      return "_gordian_files";
    case ValueKind::directory:
      return "_gordian_files -d";
    case ValueKind::id:
      return "_gordian_ids";
    case ValueKind::none:
    case ValueKind::any:
      break;
  }
  return ":";
}

std::string bash_argument(const CommandFacts& command, const CompletionFacts& facts) {
  const auto words = argument_words(command, facts);
  if (!words.empty()) return fmt::format("_gordian_words '{}'", joined_words(words));
  switch (argument_kind(command)) {
    case ValueKind::file:
      return "_gordian_files";
    case ValueKind::id:
      return "_gordian_ids";
    default:
      return ":";
  }
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

}  // namespace

std::string joined_words(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

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

ValueKind argument_kind(const CommandFacts& command) {
  return command.arguments.empty() ? ValueKind::none : command.arguments.front().kind;
}

std::vector<std::string> argument_words(const CommandFacts& command, const CompletionFacts& facts) {
  if (command.name == "help") {
    std::vector<std::string> words = facts.topics;
    for (const CommandFacts& each : facts.commands) words.push_back(each.name);
    return words;
  }
  return command.arguments.empty() ? std::vector<std::string>() : command.arguments.front().choices;
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

}  // namespace gordian
