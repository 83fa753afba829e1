// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How values that SQLite has no type for become columns: orders as bytes, content digests, and
// output cut down to what is worth keeping. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/coverage.h"
#include "model/report_facts.h"
#include "model/target.h"
#include "model/test.h"

namespace gordian {

/// Each test id as four bytes, least significant first.
std::vector<std::byte> pack_order(const Order& order);

/// nullopt when the bytes are no packed order over `tests` tests.
std::optional<Order> unpack_order(const std::byte* data, std::size_t size, std::size_t tests);

/// Numbers below `count` in the shorter of two forms, so that the length tells which: a bit for
/// each number, the first one lowest, has (count + 7) / 8 bytes; what is shorter are runs, for each
/// the numbers left out before it and its length, as LEB128. No number is no byte.
std::vector<std::byte> pack_ids(const IdRuns& runs, std::size_t count);

/// nullopt when the bytes are no numbers below `count` in one of these forms.
std::optional<IdRuns> unpack_ids(std::span<const std::byte> bytes, std::size_t count);

/// Rows of coverage as runs of units: each row is how many runs it has, then for each the units
/// left out before it and its length, as LEB128.
std::vector<std::byte> pack_rows(std::span<const CoverSet> rows);

/// nullopt when the bytes are no `count` rows over `units` units.
std::optional<std::vector<CoverSet>> unpack_rows(std::span<const std::byte> bytes,
                                                 std::size_t count, std::size_t units);

/// A 64-bit digest over a sequence of fields; it finds candidates, and equality is then checked on
/// the content itself. Field borders count: ("ab","c") and ("a","bc") differ.
class Digest {
 public:
  Digest& add(std::string_view field);
  Digest& add(std::uint64_t number);
  /// Its arguments and what it changes of the environment.
  Digest& add(const Target& target);
  std::int64_t value() const { return static_cast<std::int64_t>(state_); }

 private:
  void mix(unsigned char byte);
  std::uint64_t state_ = 0xcbf29ce484222325;
};

std::int64_t digest_of(const Suite& suite);
bool same_content(const Suite& a, const Suite& b);

/// What is kept of the output of one test.
inline constexpr std::size_t kOutputLimit = std::size_t{64} * 1024;

struct CappedOutput {
  std::string text;
  bool truncated = false;
};

/// At most kOutputLimit bytes: all of it, or head and tail around a line that says how many bytes
/// were left out. Does not cut through a UTF-8 character.
CappedOutput cap_output(std::string_view output);

}  // namespace gordian
