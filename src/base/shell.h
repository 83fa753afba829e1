// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Commands that we print must survive being pasted into a shell.
#pragma once

#include <string>
#include <vector>

namespace gordian {

/// As it is when it is harmless, else in single quotes.
std::string shell_word(const std::string& word);

/// All of them, with blanks between.
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace gordian
