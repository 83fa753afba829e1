// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include "cli/completion.h"

namespace gordian {
namespace {

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

std::string action(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::choice:
      return "(" + joined_words(choices) + ")";
    case ValueKind::file:
      return "_files";
    case ValueKind::directory:
      return "_files -/";
    case ValueKind::id:
      return "_gordian_ids";
    case ValueKind::none:
    case ValueKind::any:
      break;
  }
  return " ";
}

/// "'(-j --jobs)'{-j,--jobs}'[Tests at a time]:N:( )'", as _arguments wants it.
std::string option_spec(const OptionFacts& option) {
  const std::string value =
      option.kind == ValueKind::none
          ? ""
          : fmt::format("{}:{}:{}", option.optional_value ? ":" : "", option.value_name,
                        action(option.kind, option.choices));
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
    text += fmt::format(
        "            '{}:{}:{}' \\\n", argument.repeated ? "*" : "1", argument.name,
        words.empty() ? action(argument.kind, argument.choices) : "(" + joined_words(words) + ")");
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
constexpr std::string_view kMiddle = R"sh(  )
  _arguments -C '--help[Show help]' '--version[Show the version]' '1:command:->command' '*::argument:->arguments'
  case $state in
    command) _describe command commands ;;
    arguments)
      case $line[1] in
)sh";
constexpr std::string_view kTail = R"sh(      esac ;;
  esac
}
if [[ $funcstack[1] == _gordian ]]; then _gordian "$@"; else compdef _gordian gordian; fi
)sh";

}  // namespace

std::string zsh_completion(const CompletionFacts& facts) {
  std::string commands, cases;
  for (const CommandFacts& command : facts.commands) {
    commands += fmt::format("    '{}:{}'\n", command.name, escaped(short_help(command.help)));
    cases += command_case(command, facts);
  }
  return std::string(kZshHead) + commands + std::string(kMiddle) + cases + std::string(kTail);
}

}  // namespace gordian
