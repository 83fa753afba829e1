// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The table of commands as a parser: each with the options that all have, in groups.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"

namespace gordian {

struct Program {
  struct Action {
    OptionSet* options;
    const Command* command;
    std::function<int()> run;
  };
  std::unique_ptr<CommandParser> parser;
  std::vector<Action> actions;

  /// What was parsed; nullptr: nothing yet.
  const Action* chosen() const;
};

/// `common` must outlive it.
Program make_program(CommonOptions& common);

/// Parses; an error says what was probably meant. Asking for help or for the version is no error:
/// the text is in `answer`.
Status parse_words(Program& program, std::vector<std::string> words, std::string& answer);

}  // namespace gordian
