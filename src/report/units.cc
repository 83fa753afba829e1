// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace gordian {
namespace {

std::uint64_t nanos(std::chrono::nanoseconds duration) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
}

std::uint64_t rounded(std::uint64_t value, std::uint64_t unit) {
  return (value + unit / 2) / unit;
}

std::string minutes_or_hours(std::uint64_t seconds) {
  if (seconds < 3600) return fmt::format("{}m {:02}s", seconds / 60, seconds % 60);
  std::uint64_t minutes = rounded(seconds, 60);
  return fmt::format("{}h {:02}m", minutes / 60, minutes % 60);
}

}  // namespace

// Each step asks whether the rounded number still fits its unit: 999.96 ms must not become "1000
// ms".
std::string human_duration(std::chrono::nanoseconds duration) {
  std::uint64_t ns = nanos(duration);
  if (ns < 1'000) return fmt::format("{} ns", ns);
  if (auto us = rounded(ns, 1'000); us < 1'000) return fmt::format("{} us", us);
  if (auto tenths = rounded(ns, 100'000); tenths < 1'000) {
    return fmt::format("{}.{} ms", tenths / 10, tenths % 10);
  }
  if (auto ms = rounded(ns, 1'000'000); ms < 1'000) return fmt::format("{} ms", ms);
  if (auto hundredths = rounded(ns, 10'000'000); hundredths < 6'000) {
    return fmt::format("{}.{:02} s", hundredths / 100, hundredths % 100);
  }
  return minutes_or_hours(rounded(ns, 1'000'000'000));
}

std::string human_elapsed(std::chrono::nanoseconds duration) {
  std::uint64_t ns = nanos(duration);
  if (auto tenths = rounded(ns, 100'000'000); tenths < 600) {
    return fmt::format("{}.{} s", tenths / 10, tenths % 10);
  }
  return minutes_or_hours(rounded(ns, 1'000'000'000));
}

std::string column_duration(std::chrono::nanoseconds duration) {
  std::uint64_t ns = nanos(duration);
  if (auto us = rounded(ns, 1'000); us < 1'000'000) {
    return fmt::format("{:>3}.{:03} ms", us / 1'000, us % 1'000);
  }
  if (auto ms = rounded(ns, 1'000'000); ms < 10'000'000) {
    return fmt::format("{:>4}.{:03} s", ms / 1'000, ms % 1'000);
  }
  return fmt::format("{:>10}", minutes_or_hours(rounded(ns, 1'000'000'000)));
}

std::string thousands(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string count_of(std::uint64_t count, std::string_view word, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", word);
  if (!plural.empty()) return fmt::format("{} {}", thousands(count), plural);
  return fmt::format("{} {}s", thousands(count), word);
}

}  // namespace gordian
