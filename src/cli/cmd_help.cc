// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "base/write_file.h"
#include "cli/command.h"
#include "cli/command_facts.h"
#include "cli/exit_codes.h"
#include "cli/help_text.h"

namespace gordian {
namespace {

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

}  // namespace

std::function<int()> declare_help(OptionSet& set, CommonOptions&) {
  auto subject = std::make_shared<std::string>();
  set.add_option("subject", *subject, "A command or a topic; without one, all of them are listed");
  return [subject, &set] {
    auto text = help_on(set.program(), *subject);
    if (!text) return report_error(text.error());
    Status written = write_all(1, *text, "standard output");
    return written ? static_cast<int>(kExitOk) : report_error(written.error());
  };
}

}  // namespace gordian
