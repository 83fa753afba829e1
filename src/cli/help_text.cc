// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "cli/command_facts.h"
#include "config/settings.h"
#include "detect/algorithms.h"
#include "model/isolation.h"

namespace gordian {
namespace {

constexpr std::size_t kHelpColumn = 30, kPageWidth = 100;

/// Words from `column` on, in lines not longer than `width`; the first line has begun already.
std::string wrapped(std::string_view text, std::size_t column, std::size_t width) {
  std::string out;
  std::size_t at = column;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (at > column && at + 1 + word.size() > width) {
      out += "\n" + std::string(column, ' ');
      at = column;
    } else if (at > column) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
  }
  return out + "\n";
}

/// "  word   what it means" in two columns, the second one wrapped.
std::string two_columns(const std::vector<std::pair<std::string, std::string_view>>& rows) {
  std::size_t longest = 0;
  for (const auto& [word, meaning] : rows) longest = std::max(longest, word.size());
  const std::size_t column = 2 + longest + 3;
  std::string text;
  for (const auto& [word, meaning] : rows) {
    text += fmt::format("{:<{}}{}", "  " + word, column, wrapped(meaning, column, kPageWidth));
  }
  return text;
}

std::string algorithms_table() {
  std::vector<std::pair<std::string, std::string_view>> rows;
  for (const AlgorithmTraits& traits : algorithms()) rows.emplace_back(traits.word, traits.help);
  return two_columns(rows);
}

std::string isolations_table() {
  std::vector<std::pair<std::string, std::string_view>> rows;
  for (const IsolationTraits& traits : kIsolations) {
    rows.emplace_back("--isolate " + std::string(traits.word), traits.help);
  }
  return two_columns(rows);
}

std::string settings_table() {
  const std::string keys = fmt::format("{}", fmt::join(setting_keys(), " "));
  return "  " + wrapped(keys, 2, kPageWidth);
}

/// Tables of the program, as they stand in the pages.
struct HelpTable {
  std::string_view name;
  std::string (*text)();
};
constexpr std::array kHelpTables = {HelpTable{"@algorithms@", algorithms_table},
                                    HelpTable{"@isolations@", isolations_table},
                                    HelpTable{"@settings@", settings_table}};

/// "  words          help", the help on a line of its own where the words are long.
std::string entry(const std::string& words, std::string_view help, int width) {
  std::string line = "  " + words;
  if (line.size() + 2 > kHelpColumn) {
    line += "\n" + std::string(kHelpColumn, ' ');
  } else {
    line.resize(kHelpColumn, ' ');
  }
  return line + wrapped(help, kHelpColumn, static_cast<std::size_t>(width));
}

std::string option_help(const OptionFacts& option) {
  std::string help = option.help, more;
  if (!option.choices.empty()) more = fmt::format("{}", fmt::join(option.choices, ", "));
  if (!option.default_value.empty()) {
    more += (more.empty() ? "default: " : "; default: ") + option.default_value;
  }
  return more.empty() ? help : fmt::format("{} [{}]", help, more);
}

std::string options_text(const CommandFacts& facts, int width) {
  std::string out;
  for (std::string_view title : option_group_titles()) {
    std::string lines;
    for (const OptionFacts& option : facts.options) {
      if (option.group != title) continue;
      const std::string indent = option.short_name.empty() ? "    " : "";
      lines += entry(indent + option.words(), option_help(option), width);
    }
    if (!lines.empty()) out += fmt::format("\n{}:\n{}", title, lines);
  }
  return out;
}

std::string arguments_text(const CommandFacts& facts, int width) {
  std::string out;
  for (const OptionFacts& argument : facts.arguments) {
    out += entry(argument.value_name + (argument.repeated ? "..." : ""), argument.help, width);
  }
  return out.empty() ? out : "\nArguments:\n" + out;
}

std::string examples_text(std::string_view command) {
  std::string out;
  for (const Example& example : examples_of(command)) {
    out += fmt::format("  # {}\n  gordian {}\n", example.why, example.command);
  }
  return out.empty() ? out : "\nExamples:\n" + out;
}

Error unknown_subject(const CommandParser& program, const std::string& subject) {
  std::vector<std::string> known;
  for (const CommandFacts& command : all_command_facts(program)) known.push_back(command.name);
  for (const HelpTopic& topic : help_topics()) known.emplace_back(topic.name);
  auto close = closest_word(subject, known);
  return usage_error(fmt::format("there is no help on '{}'", subject),
                     close ? fmt::format("did you mean 'gordian help {}'?", *close)
                           : "'gordian help' lists the commands and topics");
}

Result<std::string> help_on(const CommandParser& program, const std::string& subject) {
  if (subject.empty()) return program_help(program);
  const HelpTopic* topic = find_topic(subject);
  const OptionSet* command = find_command(program, subject);
  if (topic == nullptr && command == nullptr) return unknown_subject(program, subject);
  std::string text = topic == nullptr ? "" : topic->text();
  if (command != nullptr) text += (topic == nullptr ? "" : "\n") + command_help(*command);
  return text;
}

/// A line of text for roff: its own characters are escaped, and it does not begin a request.
std::string line_of(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
  for (char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else {
      out += c;
    }
  }
  return out;
}

/// As it is, line by line.
std::string verbatim(std::string_view text) {
  std::string out = ".nf\n";
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out += line_of(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + ".fi\n";
}

std::string item(const std::string& words, const std::string& help) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", line_of(words), line_of(help));
}

std::string options(const CommandFacts& command) {
  std::string out;
  for (std::string_view title : option_group_titles()) {
    for (const OptionFacts& option : command.options) {
      if (option.group != title || option.name == "help") continue;
      std::string help = option.help;
      if (!option.choices.empty()) help += fmt::format(" ({})", fmt::join(option.choices, ", "));
      if (!option.default_value.empty()) help += " [" + option.default_value + "]";
      out += item(option.words(), help);
    }
  }
  return out;
}

std::string command_section(const CommandFacts& command) {
  std::string out =
      fmt::format(".SS {}\n{}.\n.PP\n\\fB{}\\fR\n", line_of("gordian " + command.name),
                  line_of(command.help), line_of(command.usage()));
  for (const OptionFacts& argument : command.arguments) {
    out += item(argument.value_name, argument.help);
  }
  return out + options(command);
}

/// Those of one command stand together.
constexpr std::array kExamples = {
    Example{"list", "list my_test", "the tests of a binary"},
    Example{"list", "list build", "of all test binaries of a CMake build"},
    Example{"list", "list --level process build", "its ctest tests"},
    Example{"run", "run my_test", "each test isolated from the others"},
    Example{"run", "run --isolate none --order random my_test", "one process, shuffled"},
    Example{"run", "run --filter 'Cart.*' --timeout 5s build --junit out.xml",
            "a part of a build, for CI"},
    Example{"detect", "detect my_test", "search for a minute"},
    Example{"detect", "detect --estimate my_test", "what each algorithm would cost"},
    Example{"detect", "detect --budget 10m --explain build", "longer, with the state behind it"},
    Example{"explain", "explain", "all that the last search found"},
    Example{"explain", "explain D1", "one dependence"},
    Example{"explain", "explain D1 --json -", "for programs"},
    Example{"fix", "fix D1", "shows a patch that was built and run"},
    Example{"fix", "fix --all --diff fixes.patch", "until nothing is left, into a file"},
    Example{"fix", "fix D1 --apply", "changes the sources"},
    Example{"prioritize", "prioritize my_test --technique T4 -o order.txt", "most new lines first"},
    Example{"prioritize", "prioritize my_test --technique T7 --aware", "and no dependence broken"},
    Example{"prioritize", "run --isolate none --order order.txt my_test", "runs such an order"},
    Example{"impact", "impact my_test", "do prioritised orders change results?"},
    Example{"impact", "impact my_test --technique T4", "by one technique"},
    Example{"impact", "impact my_test --json -", "for programs"},
    Example{"reduce", "reduce my_test", "fewer tests that cover the same lines"},
    Example{"reduce", "reduce my_test -o order.txt", "as an order file"},
    Example{"shard", "shard my_test --count 4", "four parts that no dependence ties together"},
    Example{"shard", "shard build --count 8 --by time", "of a build, as equal as may be"},
    Example{"export", "export build --ctest rules.cmake", "what ctest must know of dependences"},
    Example{"export", "export build --bazel rules.bzl", "the same for Bazel"},
    Example{"graph", "graph my_test", "which test reads what which other has written"},
    Example{"graph", "graph my_test --dot deps.dot", "for Graphviz"},
    Example{"graph", "graph my_test --json -", "for programs"},
    Example{"ignore", "ignore 'Cache::*' /var/tmp/cache/", "a variable and a directory"},
    Example{"ignore", "ignore --env LANG", "a variable of the environment"},
    Example{"ignore", "ignore --list", "what is ignored"},
    Example{"report", "report", "what searches have found, again"},
    Example{"report", "report --html out.html", "one page to look at or to attach"},
    Example{"report", "report my_test --json -", "of one binary, for programs"},
    Example{"replay", "replay R7", "a stored run, in its order"},
    Example{"replay", "replay D1", "the witness of a dependence"},
    Example{"replay", "replay D1 --debugger gdb --at read", "stopped where the state is read"},
    Example{"doctor", "doctor", "what this machine supports"},
    Example{"doctor", "doctor my_test", "and what this binary does"},
    Example{"doctor", "doctor build --json", "for programs"},
    Example{"config", "config", "what is set, and where"},
    Example{"config", "config --explain", "every value and where it comes from"},
    Example{"config", "config my_test", "which of its tests have overrides"},
    Example{"cxxflags", "cxxflags", "flags for a traced build"},
    Example{"cxxflags", "cxxflags --compiler clang++-19 --link", "for its linker"},
    Example{"cxxflags", "cxxflags --coverage", "for a build that counts coverage"},
    Example{"completion", "completion bash > ~/.local/share/bash-completion/completions/gordian",
            "bash"},
    Example{"completion", "completion zsh > ~/.zfunc/_gordian", "zsh, with ~/.zfunc in fpath"},
    Example{"completion", "completion fish > ~/.config/fish/completions/gordian.fish", "fish"},
    Example{"help", "help", "the commands and subjects"},
    Example{"help", "help verdicts", "a subject"},
    Example{"help", "help detect", "a command"},
};

}  // namespace

std::string_view exit_codes_line() {
  return "Exit codes: 0 all as expected, 1 tests failed, dependences found, not explained or not\n"
         "repaired, or nothing was searched, 2 usage, 3 the target could not be run or built,\n"
         "4 internal error, 130 interrupted (results so far are kept). More: gordian help "
         "exit-codes\n";
}

std::string command_help(const OptionSet& command, int width) {
  const CommandFacts facts = command_facts(command);
  return fmt::format("{}\n\nUsage: {}\n", facts.help, facts.usage()) +
         arguments_text(facts, width) + options_text(facts, width) + examples_text(facts.name) +
         "\n" + std::string(exit_codes_line());
}

std::string program_help(const CommandParser& program, int width) {
  std::string out =
      "Gordian finds, explains, isolates and repairs test dependence: tests whose result depends "
      "on\n"
      "which tests ran before them. It works on the test binary as it is.\n\n"
      "Usage: gordian COMMAND [OPTIONS] [ARGUMENTS] [-- ARGUMENTS OF THE TEST "
      "BINARY]\n\nCommands:\n";
  for (const CommandFacts& command : all_command_facts(program)) {
    out += entry(command.name, command.help, width);
  }
  out += "\nTopics, as in 'gordian help verdicts':\n";
  for (const HelpTopic& topic : help_topics()) {
    out += entry(std::string(topic.name), topic.title(), width);
  }
  return out +
         "\nFirst steps: 'gordian detect my_test' searches a test binary, 'gordian COMMAND --help' "
         "has every\noption of a command.\n\n" +
         std::string(exit_codes_line());
}

std::string HelpTopic::text() const {
  std::string text(source);
  for (const HelpTable& table : kHelpTables) {
    const std::string line = std::string(table.name) + "\n";
    const std::size_t at = text.find(line);
    if (at != std::string::npos) text.replace(at, line.size(), table.text());
  }
  return text;
}

const HelpTopic* find_topic(std::string_view name) {
  const auto topics = help_topics();
  auto found = std::find_if(topics.begin(), topics.end(),
                            [name](const HelpTopic& topic) { return topic.name == name; });
  return found == topics.end() ? nullptr : &*found;
}

std::function<int()> declare_help(OptionSet& set, CommonOptions&) {
  auto subject = std::make_shared<std::string>();
  set.add_option("subject", *subject, "A command or a topic; without one, all of them are listed");
  return [subject, &set] {
    auto text = help_on(set.program(), *subject);
    return text ? print_result(*text) : report_error(text.error());
  };
}

std::string man_page(const CommandParser& program, const std::string& version) {
  std::string out = fmt::format(
      ".\\\" Made by `gordian man`.\n.TH GORDIAN 1 \"\" \"gordian {}\" \"User Commands\"\n"
      ".SH NAME\ngordian \\- find, explain, isolate and repair test dependence\n"
      ".SH SYNOPSIS\n\\fBgordian\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR] "
      "[\\fB\\-\\-\\fR \\fIARGUMENTS OF THE TEST BINARY\\fR]\n.SH DESCRIPTION\n",
      version);
  out +=
      line_of(
          "Gordian finds the tests whose result depends on which tests ran before them in the "
          "same process, names the state that does it, keeps tests from each other, and repairs "
          "them. It works on the test binary as it is: no rebuild, no source change. A target is "
          "a test binary or a CMake build directory.") +
      "\n.SH COMMANDS\n";
  for (const CommandFacts& command : all_command_facts(program)) out += command_section(command);
  for (const HelpTopic& topic : help_topics()) {
    const std::string text = topic.text();
    const auto body = text.substr(std::min(topic.title().size() + 2, text.size()));
    out += fmt::format(".SH {}\n{}.\n.PP\n{}", line_of(upper(std::string(topic.name))),
                       line_of(topic.title()), verbatim(body));
  }
  return out + ".SH FILES\n" + item(".gordian/gordian.db", "Runs, searches and what they found.") +
         item(".gordian.toml", "The settings of a project.");
}

std::function<int()> declare_man(OptionSet& set, CommonOptions&) {
  return [&set] { return print_result(man_page(set.program(), GORDIAN_VERSION)); };
}

std::span<const Example> examples_of(std::string_view command) {
  const auto is_own = [command](const Example& example) { return example.subject == command; };
  const auto first = std::find_if(kExamples.begin(), kExamples.end(), is_own);
  return {first, std::find_if_not(first, kExamples.end(), is_own)};
}

}  // namespace gordian
