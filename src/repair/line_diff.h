// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The fewest lines to take out and put in to make one text from another (Myers 1986). Written here
// because the one library at hand that does it, libgit2, would bring TLS, SSH and HTTP into every
// installation for a page of code.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gordian {

/// Lines with their newlines; the last one may have none. No text: no lines.
std::vector<std::string_view> whole_lines(std::string_view text);

/// Lines [old_begin, old_end) become [new_begin, new_end); one of the two may be empty.
struct LineChange {
  std::size_t old_begin, old_end, new_begin, new_end;
};

/// In order, with at least one common line between neighbours. Texts that differ in thousands of
/// lines are not worth a search: there one change covers all that is between the first and the last
/// difference.
std::vector<LineChange> diff_lines(const std::vector<std::string_view>& before,
                                   const std::vector<std::string_view>& after);

}  // namespace gordian
