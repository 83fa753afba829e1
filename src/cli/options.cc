// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

namespace gordian {

Option* Option::required() {
  parsed_->required();
  return this;
}

Option* Option::one_of(std::vector<std::string> words) {
  choices_ = std::move(words);
  parsed_->check(CLI::IsMember(choices_));
  return this;
}

Option* Option::between(std::int64_t least, std::int64_t most) {
  parsed_->check(CLI::Range(least, most));
  return this;
}

Option* Option::existing_directory() {
  parsed_->check(CLI::ExistingDirectory);
  return this;
}

Option* Option::value_name(const std::string& name) {
  parsed_->type_name(name);
  return this;
}

Option* Option::show_default() {
  parsed_->capture_default_str();
  return this;
}

Option* Option::show_default(const std::string& text) {
  parsed_->default_str(text);
  return this;
}

Option* Option::values(int least, int most) {
  parsed_->expected(least, most);
  return this;
}

Option* Option::one_at_a_time() {
  parsed_->allow_extra_args(false);
  return this;
}

Option* Option::excludes(Option* other) {
  parsed_->excludes(other->parsed_);
  return this;
}

Option* Option::needs(Option* other) {
  parsed_->needs(other->parsed_);
  return this;
}

bool Option::is_argument() const {
  return parsed_->get_positional();
}

std::string Option::name() const {
  if (is_argument()) return parsed_->get_name();
  return parsed_->get_lnames().empty() ? "" : parsed_->get_lnames().front();
}

std::string Option::short_name() const {
  return parsed_->get_snames().empty() ? "" : parsed_->get_snames().front();
}

std::string Option::help() const {
  return parsed_->get_description();
}

bool Option::is_required() const {
  return parsed_->get_required();
}

bool Option::is_repeated() const {
  return parsed_->get_expected_max() > 1;
}

bool Option::takes_value() const {
  return parsed_->get_items_expected_max() > 0;
}

bool Option::value_is_optional() const {
  return parsed_->get_expected_min() == 0;
}

std::string Option::value_type() const {
  const std::string type = parsed_->get_type_name();
  return type.substr(0, type.find(':'));  // what follows describes its checks
}

std::string Option::default_text() const {
  return parsed_->get_default_str();
}

bool Option::is_given() const {
  return parsed_->count() > 0;
}

bool Option::is_excluded() const {
  const auto excluded = parsed_->get_excludes();
  return std::any_of(excluded.begin(), excluded.end(),
                     [](const CLI::Option* other) { return other->count() > 0; });
}

std::vector<std::string> Option::words() const {
  return parsed_->results();
}

std::string Option::objection(std::string word) const {
  for (int i = 0;; ++i) {
    const CLI::Validator* validator = nullptr;
    try {
      validator = parsed_->get_validator(i);
    } catch (const CLI::OptionNotFound&) {
      return {};  // that were all
    }
    std::string objected = (*validator)(word);
    if (!objected.empty()) return objected;
  }
}

Status Option::give(const std::vector<std::string>& words) {
  try {
    parsed_->add_result(words);
    parsed_->run_callback();
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  return {};
}

OptionSet::OptionSet(CLI::App* parsed, CommandParser& program, bool for_programs)
    : parsed_(parsed), program_(program), for_programs_(for_programs) {
  for (CLI::Option* own : parsed->get_options({})) options_.emplace_back(own);
}

template <typename T>
Option* OptionSet::add_option(const std::string& names, T& value, const std::string& help) {
  return &options_.emplace_back(parsed_->add_option(names, value, help));
}

// The parser's templates are instantiated here, for all commands.
using Names = const std::string&;
template Option* OptionSet::add_option(Names, std::string&, Names);
template Option* OptionSet::add_option(Names, std::vector<std::string>&, Names);
template Option* OptionSet::add_option(Names, int&, Names);
template Option* OptionSet::add_option(Names, std::uint64_t&, Names);
template Option* OptionSet::add_option(Names, std::optional<std::uint32_t>&, Names);
template Option* OptionSet::add_option(Names, std::optional<std::uint64_t>&, Names);

Option* OptionSet::add_flag(const std::string& names, bool& value, const std::string& help) {
  return &options_.emplace_back(parsed_->add_flag(names, value, help));
}

const std::string& OptionSet::command() const {
  return parsed_->get_name();
}

std::string OptionSet::help() const {
  return parsed_->get_description();
}

bool OptionSet::is_parsed() const {
  return parsed_->parsed();
}

const Option* OptionSet::find(const std::string& name) const {
  const CLI::Option* wanted = parsed_->get_option_no_throw(name);
  auto found = std::find_if(options_.begin(), options_.end(), [wanted](const Option& option) {
    return wanted != nullptr && option.is(wanted);
  });
  return found == options_.end() ? nullptr : &*found;
}

Option* OptionSet::find(const std::string& name) {
  return const_cast<Option*>(std::as_const(*this).find(name));
}

CommandParser::CommandParser(const std::string& name, const std::string& version)
    : parsed_(std::make_unique<CLI::App>("", name)) {
  parsed_->set_version_flag("--version", version);
  parsed_->require_subcommand(1);
}

CommandParser::~CommandParser() = default;

OptionSet& CommandParser::add_command(const std::string& name, const std::string& help,
                                      bool for_programs) {
  return commands_.emplace_back(parsed_->add_subcommand(name, help), *this, for_programs);
}

ParsedWords CommandParser::parse(std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 takes its arguments back to front
  try {
    parsed_->parse(words);
  } catch (const CLI::CallForHelp&) {
    return {ParseEnd::asked_for_help, ""};
  } catch (const CLI::CallForVersion& version) {
    return {ParseEnd::asked_for_version, version.what()};
  } catch (const CLI::ExtrasError&) {
    const auto left = parsed_->remaining(true);
    return {ParseEnd::word_left, left.empty() ? "" : left.front()};
  } catch (const CLI::ValidationError& error) {
    return {ParseEnd::not_accepted, error.what()};
  } catch (const CLI::ParseError& error) {
    return {ParseEnd::wrong, error.what()};
  }
  return {};
}

}  // namespace gordian
