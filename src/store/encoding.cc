// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "store/words.h"

namespace gordian {
namespace {

constexpr std::size_t kIdBytes = 4;
constexpr int kMaxContinuation = 3;  // bytes that may follow the first one of a UTF-8 character

auto fields(const Test& t) {
  return std::tie(t.suite, t.name, t.file, t.line, t.type_param, t.value_param, t.disabled,
                  t.will_run);
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// The nearest place at or before `cut` where a character begins.
std::size_t character_start(std::string_view text, std::size_t cut) {
  for (int back = 0; back < kMaxContinuation && cut > 0 && is_continuation(text[cut]); ++back)
    --cut;
  return cut;
}

void put_leb(std::vector<std::byte>& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::byte>(value | 0x80));
  out.push_back(static_cast<std::byte>(value));
}

/// nullopt at the end, or for a number of more than 9 bytes.
std::optional<std::uint64_t> take_leb(std::span<const std::byte>& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63 && !in.empty(); shift += 7) {
    const auto byte = static_cast<std::uint64_t>(in.front());
    in = in.subspan(1);
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

/// The next run of a row, from `at` on; false when there is none.
bool next_run(const CoverSet& row, std::size_t& at, std::size_t& end) {
  while (at < row.size() && !row.has(at)) ++at;
  for (end = at; end < row.size() && row.has(end);) ++end;
  return at < end;
}

bool take_row(std::span<const std::byte>& in, CoverSet& row) {
  const auto runs = take_leb(in);
  std::size_t at = 0;
  for (std::uint64_t i = 0; runs && i < *runs; ++i) {
    const auto gap = take_leb(in), length = take_leb(in);
    if (!gap || !length || *gap > row.size() - at || *length > row.size() - at - *gap) return false;
    at += *gap;
    for (const std::size_t end = at + *length; at < end; ++at) row.add(at);
  }
  return runs.has_value();
}

std::vector<std::byte> pack_bits(const IdRuns& runs, std::size_t count) {
  std::vector<std::byte> bytes((count + 7) / 8);
  for (const IdRun& run : runs) {
    for (std::size_t i = run.first, end = i + run.count; i < end; ++i) {
      bytes[i / 8] |= std::byte{1} << (i % 8);
    }
  }
  return bytes;
}

std::optional<IdRuns> unpack_bits(std::span<const std::byte> bytes, std::size_t count) {
  std::vector<bool> flags(8 * bytes.size());
  for (std::size_t i = 0; i < flags.size(); ++i) {
    flags[i] = (bytes[i / 8] >> (i % 8) & std::byte{1}) != std::byte{0};
  }
  IdRuns runs = runs_of(flags);
  if (!runs.empty() && runs.back().first + runs.back().count > count) return std::nullopt;
  return runs;
}

std::optional<IdRuns> unpack_runs(std::span<const std::byte> bytes, std::size_t count) {
  IdRuns runs;
  std::size_t at = 0;
  while (!bytes.empty()) {
    const auto gap = take_leb(bytes), length = take_leb(bytes);
    if (!gap || !length || *length == 0 || (*gap == 0 && !runs.empty())) return std::nullopt;
    if (*gap > count - at || *length > count - at - *gap) return std::nullopt;
    at += *gap;
    runs.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(*length)});
    at += *length;
  }
  return runs;
}

}  // namespace

std::vector<std::byte> pack_order(const Order& order) {
  std::vector<std::byte> bytes;
  bytes.reserve(order.size() * kIdBytes);
  for (TestId test : order) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::byte>(test.value() >> shift & 0xff));
    }
  }
  return bytes;
}

std::optional<Order> unpack_order(const std::byte* data, std::size_t size, std::size_t tests) {
  if (size % kIdBytes != 0) return std::nullopt;
  Order order;
  order.reserve(size / kIdBytes);
  for (std::size_t at = 0; at < size; at += kIdBytes) {
    std::uint32_t id = 0;
    for (unsigned i = 0; i < kIdBytes; ++i) {
      id |= std::to_integer<std::uint32_t>(data[at + i]) << (8 * i);
    }
    if (id >= tests) return std::nullopt;
    order.push_back(TestId{id});
  }
  return order;
}

void Digest::mix(unsigned char byte) {
  state_ = (state_ ^ byte) * 0x100000001b3;
}

std::vector<std::byte> pack_ids(const IdRuns& runs, std::size_t count) {
  const std::size_t bits = (count + 7) / 8;
  std::vector<std::byte> packed;
  std::size_t at = 0;
  for (const IdRun& run : runs) {
    put_leb(packed, run.first - at);
    put_leb(packed, run.count);
    if (packed.size() >= bits) return pack_bits(runs, count);
    at = run.first + run.count;
  }
  return packed;
}

std::optional<IdRuns> unpack_ids(std::span<const std::byte> bytes, std::size_t count) {
  const std::size_t bits = (count + 7) / 8;
  if (bytes.size() > bits) return std::nullopt;
  return bytes.size() == bits ? unpack_bits(bytes, count) : unpack_runs(bytes, count);
}

std::vector<std::byte> pack_rows(std::span<const CoverSet> rows) {
  std::vector<std::byte> out;
  for (const CoverSet& row : rows) {
    std::vector<std::size_t> numbers;
    std::size_t at = 0, end = 0, before = 0;
    for (; next_run(row, at, end); at = before = end) {
      numbers.push_back(at - before);
      numbers.push_back(end - at);
    }
    put_leb(out, numbers.size() / 2);
    for (std::size_t number : numbers) put_leb(out, number);
  }
  return out;
}

std::optional<std::vector<CoverSet>> unpack_rows(std::span<const std::byte> bytes,
                                                 std::size_t count, std::size_t units) {
  std::vector<CoverSet> rows(count, CoverSet(units));
  for (CoverSet& row : rows) {
    if (!take_row(bytes, row)) return std::nullopt;
  }
  if (!bytes.empty()) return std::nullopt;
  return rows;
}

Digest& Digest::add(std::string_view field) {
  add(static_cast<std::uint64_t>(field.size()));
  for (char c : field) mix(static_cast<unsigned char>(c));
  return *this;
}

Digest& Digest::add(std::uint64_t number) {
  for (unsigned shift = 0; shift < 64; shift += 8) mix(static_cast<unsigned char>(number >> shift));
  return *this;
}

Digest& Digest::add(const Target& target) {
  for (const std::string& arg : target.args) add(arg);
  for (const EnvChange& change : target.env) {
    add(change.first).add(change.second.value_or("")).add(change.second ? 1U : 0U);
  }
  return *this;
}

std::int64_t digest_of(const Suite& suite) {
  Digest digest;
  digest.add(stored_word(suite.framework())).add(suite.framework_version());
  for (const Test& test : suite.tests()) {
    digest.add(test.suite).add(test.name).add(test.file).add(static_cast<std::uint64_t>(test.line));
    digest.add(test.type_param).add(test.value_param);
    digest.add((test.disabled ? 2U : 0U) + (test.will_run ? 1U : 0U));
  }
  return digest.value();
}

bool same_content(const Suite& a, const Suite& b) {
  return a.framework() == b.framework() && a.framework_version() == b.framework_version() &&
         std::equal(a.tests().begin(), a.tests().end(), b.tests().begin(), b.tests().end(),
                    [](const Test& x, const Test& y) { return fields(x) == fields(y); });
}

CappedOutput cap_output(std::string_view output) {
  if (output.size() <= kOutputLimit) return {std::string(output), false};
  constexpr std::size_t kMarkerRoom = 64;
  constexpr std::size_t kHalf = (kOutputLimit - kMarkerRoom) / 2;
  const std::size_t head = character_start(output, kHalf);
  std::size_t tail = output.size() - kHalf;
  for (int i = 0; i < kMaxContinuation && is_continuation(output[tail]); ++i) ++tail;
  return {fmt::format("{}\n[... {} bytes left out ...]\n{}", output.substr(0, head), tail - head,
                      output.substr(tail)),
          true};
}

}  // namespace gordian
