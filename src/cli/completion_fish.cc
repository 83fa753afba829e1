// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include "cli/completion.h"

namespace gordian {
namespace {

std::string fish_word(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

/// What follows the name of an option or stands for an argument.
std::string value_words(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::choice:
      return " -x -a " + fish_word(joined_words(choices));
    case ValueKind::file:
      return " -r -F";
    case ValueKind::directory:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::id:
      return " -x -a '(__gordian_ids)'";
    case ValueKind::any:
      return " -x";
    case ValueKind::none:
      break;
  }
  return "";
}

std::string command_lines(const CommandFacts& command, const CompletionFacts& facts) {
  const std::string begin =
      fmt::format("complete -c gordian -n '__fish_seen_subcommand_from {}'", command.name);
  std::string text;
  for (const OptionFacts& option : command.options) {
    text += begin;
    if (!option.name.empty()) text += " -l " + option.name;
    if (!option.short_name.empty()) text += " -s " + option.short_name;
    if (!option.optional_value) text += value_words(option.kind, option.choices);
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

constexpr std::string_view kHead =
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

}  // namespace

std::string fish_completion(const CompletionFacts& facts) {
  std::string text(kHead);
  for (const CommandFacts& command : facts.commands) {
    text += fmt::format("complete -c gordian -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_word(short_help(command.help)));
  }
  for (const CommandFacts& command : facts.commands) text += command_lines(command, facts);
  return text;
}

}  // namespace gordian
