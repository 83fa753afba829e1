// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Names of functions that promise to bring something back to its begin. gordian-facts asks this
// too: it needs nothing but the standard library.
#pragma once

#include <string_view>

namespace gordian {

/// "reset", "Clear", "restore_defaults", "ResetForTest": how much is promised; 0 is nothing. Least
/// by what ends something ("shutdown"): it may not be usable afterwards.
int reset_score(std::string_view name);

/// The least of these scores.
constexpr int kEndsScore = 1;

}  // namespace gordian
