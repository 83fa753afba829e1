// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A unified diff for a terminal. Flush left and neither broken nor cut, so that it can be copied.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/terminal_style.h"

namespace gordian {

/// Content of new files beyond this is worth a look, but not in the middle of a report.
inline constexpr std::size_t kLongNewFile = 20;

enum class NewFiles { whole, folded };  ///< folded: of long ones it is said how long they are

/// Added lines green, removed ones red, files bold, places cyan; control characters made visible,
/// but for the carriage returns at the ends of lines, which are left out.
std::string diff_text(std::string_view diff, const Style& style,
                      NewFiles new_files = NewFiles::whole);

}  // namespace gordian
