// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// GORDIAN_CHECK: for what cannot happen. Always on, in release too: a wrong verdict is worse than a
// crash. Prints the condition and its place to stderr and aborts.
#pragma once

namespace gordian {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}

#define GORDIAN_CHECK(condition) \
  ((condition) ? void() : ::gordian::check_failed(#condition, __FILE__, __LINE__))
