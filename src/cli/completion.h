// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Scripts that complete gordian's command line in a shell, made of what commands and options
// declare. Words that a file or the database holds are asked for when they are needed: files of the
// shell, ids (`D3`, `R7`) of the hidden command `gordian complete-ids`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_facts.h"

namespace gordian {

struct CompletionFacts {
  std::vector<CommandFacts> commands;
  std::vector<std::string> topics;  ///< of `gordian help`
};

std::string bash_completion(const CompletionFacts& facts);
std::string zsh_completion(const CompletionFacts& facts);
std::string fish_completion(const CompletionFacts& facts);

std::string joined_words(const std::vector<std::string>& words);
/// The first sentence, or what comes before it gets long: for a list beside the cursor.
std::string short_help(std::string_view help);
/// What the arguments of a command are, as far as a shell can help.
ValueKind argument_kind(const CommandFacts& command);
/// The words that its first argument can be; empty: any.
std::vector<std::string> argument_words(const CommandFacts& command, const CompletionFacts& facts);

}  // namespace gordian
