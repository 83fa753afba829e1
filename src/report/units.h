// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Numbers as people read them: durations, counts, plurals. Independent of the locale.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace gordian {

/// "850 ns", "42 us", "1.3 ms", "412 ms", "2.41 s", "1m 05s", "2h 03m". Negative counts as zero.
std::string human_duration(std::chrono::nanoseconds duration);

/// For a clock that is watched: "4.1 s", "1m 05s", "2h 03m".
std::string human_elapsed(std::chrono::nanoseconds duration);

/// Always ten columns, so that names below one another start in one column: "  0.012 ms",
/// "   2.410 s", "   2h 46m".
std::string column_duration(std::chrono::nanoseconds duration);

/// 14280 -> "14,280".
std::string thousands(std::uint64_t count);

/// "1 test", "2,000 tests"; words that do not just take an s name their plural.
std::string count_of(std::uint64_t count, std::string_view word, std::string_view plural = {});

}  // namespace gordian
