// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which options belong together, in one order over all commands: people find an option of a command
// where they found it in the last one.
#pragma once

#include <span>
#include <string_view>

#include "cli/options.h"

namespace gordian {

/// Titles, in the order of help texts. Options that no group names come first, as "Options".
std::span<const std::string_view> option_group_titles();

/// Puts each option of the command into its group.
void group_options(OptionSet& command);

}  // namespace gordian
