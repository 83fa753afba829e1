// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/help_text.h"

#include <fmt/format.h>

#include <functional>

#include "cli/command.h"
#include "cli/command_facts.h"

namespace gordian {
namespace {

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

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
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

}  // namespace

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
    out += fmt::format(".SH {}\n{}.\n.PP\n{}", line_of(upper(topic.name)), line_of(topic.title()),
                       verbatim(body));
  }
  return out + ".SH FILES\n" + item(".gordian/gordian.db", "Runs, searches and what they found.") +
         item(".gordian.toml", "The settings of a project.");
}

std::function<int()> declare_man(OptionSet& set, CommonOptions&) {
  return [&set] { return print_result(man_page(set.program(), GORDIAN_VERSION)); };
}

}  // namespace gordian
