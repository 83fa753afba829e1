// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What commands declare of their options, and how words become values. The parser behind it is
// CLI11, which takes many seconds to compile: only options.cc includes it, and nothing else needs
// to know. What is declared can be asked for again: help, completion and the manual page are made
// of it, see cli/command_facts.h.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gordian {

class CommandParser;

/// One option, flag or argument of a command. It lives as long as the parser, and is never moved.
class Option {
 public:
  explicit Option(CLI::Option* parsed) : parsed_(parsed) {}
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;

  // Declaring; each returns the option itself, so that declarations read as one sentence.

  Option* required();
  Option* one_of(std::vector<std::string> words);
  Option* between(std::int64_t least, std::int64_t most);
  Option* existing_directory();
  /// "FILE": what stands for the value in help.
  Option* value_name(const std::string& name);
  /// The value that the variable has now is the default in help.
  Option* show_default();
  Option* show_default(const std::string& text);
  /// It takes so many values at once; none means that it may stand alone.
  Option* values(int least, int most);
  /// Of an option that can be repeated: one value each time, the next word is something else.
  Option* one_at_a_time();
  Option* excludes(Option* other);
  Option* needs(Option* other);
  void set_group(std::string_view title) { group_ = title; }

  // Asking

  bool is_argument() const;        ///< told by its place, not by its name
  std::string name() const;        ///< "timeout"; of an argument "target"; empty: it has none
  std::string short_name() const;  ///< "j", or empty
  std::string help() const;
  const std::string& group() const { return group_; }
  bool is_required() const;
  bool is_repeated() const;
  bool takes_value() const;  ///< else it is a flag
  bool value_is_optional() const;
  std::string value_type() const;  ///< "TEXT", "INT", or its value_name()
  const std::vector<std::string>& choices() const { return choices_; }
  std::string default_text() const;

  // After parsing

  bool is_given() const;
  /// An option that excludes this one is given.
  bool is_excluded() const;
  std::vector<std::string> words() const;
  /// What its own checks say against the word; empty: nothing.
  std::string objection(std::string word) const;
  /// The words become its value, as if they had been typed.
  Status give(const std::vector<std::string>& words);
  bool is(const CLI::Option* parsed) const { return parsed_ == parsed; }

 private:
  CLI::Option* parsed_;
  std::vector<std::string> choices_;
  std::string group_;
};

/// The options of one command.
class OptionSet {
 public:
  OptionSet(CLI::App* parsed, CommandParser& program, bool for_programs);
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  /// `names`: "-j,--jobs", or "target" for an argument. The variable must outlive the parsing; it
  /// keeps its value if the option is not given.
  /// T: std::string, a vector of them, int, or a number without a sign that may be optional.
  template <typename T>
  Option* add_option(const std::string& names, T& value, const std::string& help);
  Option* add_flag(const std::string& names, bool& value, const std::string& help);

  const std::string& command() const;
  std::string help() const;
  bool for_programs() const { return for_programs_; }  ///< no person types this command
  bool is_parsed() const;                              ///< the command line has this command
  /// In the order of their declaration; the first is --help.
  const std::deque<Option>& options() const { return options_; }
  std::deque<Option>& options() { return options_; }
  /// By one of its names, with dashes; nullptr: there is none.
  Option* find(const std::string& name);
  const Option* find(const std::string& name) const;
  const CommandParser& program() const { return program_; }

 private:
  CLI::App* parsed_;
  CommandParser& program_;
  bool for_programs_;
  std::deque<Option> options_;
};

/// How parsing has ended.
enum class ParseEnd { complete, asked_for_help, asked_for_version, word_left, not_accepted, wrong };

struct ParsedWords {
  ParseEnd end = ParseEnd::complete;
  /// The version; the word that nothing takes; else what is wrong, in a sentence. A value that is
  /// none of the choices: "--isolate: forc not in {auto,fork}".
  std::string text;
};

/// A program of several commands, of which each command line has one.
class CommandParser {
 public:
  CommandParser(const std::string& name, const std::string& version);
  ~CommandParser();
  CommandParser(const CommandParser&) = delete;
  CommandParser& operator=(const CommandParser&) = delete;

  OptionSet& add_command(const std::string& name, const std::string& help, bool for_programs);
  const std::deque<OptionSet>& commands() const { return commands_; }
  std::deque<OptionSet>& commands() { return commands_; }

  ParsedWords parse(std::vector<std::string> words);

 private:
  std::unique_ptr<CLI::App> parsed_;
  std::deque<OptionSet> commands_;
};

}  // namespace gordian
