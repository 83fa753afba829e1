// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace gordian {
namespace {

struct Range {
  char32_t first, last;
};

bool in_ranges(char32_t code, std::span<const Range> ranges) {
  auto it = std::upper_bound(ranges.begin(), ranges.end(), code,
                             [](char32_t c, const Range& r) { return c < r.first; });
  return it != ranges.begin() && code <= std::prev(it)->last;
}

// Combining marks, joiners and variation selectors: drawn onto the character before them.
constexpr std::array<Range, 16> kZeroWidth = {{{0x300, 0x36f},
                                               {0x483, 0x489},
                                               {0x591, 0x5bd},
                                               {0x610, 0x61a},
                                               {0x64b, 0x65f},
                                               {0xe31, 0xe31},
                                               {0xe34, 0xe3a},
                                               {0xe47, 0xe4e},
                                               {0x1ab0, 0x1aff},
                                               {0x1dc0, 0x1dff},
                                               {0x200c, 0x200d},
                                               {0x20d0, 0x20ff},
                                               {0xfe00, 0xfe0f},
                                               {0xfe20, 0xfe2f},
                                               {0x1f3fb, 0x1f3ff},
                                               {0xe0100, 0xe01ef}}};

// East Asian wide characters and the emoji that terminals draw two columns wide.
constexpr std::array<Range, 21> kWide = {
    {{0x1100, 0x115f},  {0x231a, 0x231b}, {0x23e9, 0x23ec}, {0x2614, 0x2615},   {0x26a1, 0x26a1},
     {0x2705, 0x2705},  {0x2728, 0x2728}, {0x274c, 0x274c}, {0x2753, 0x2757},   {0x2b50, 0x2b50},
     {0x2e80, 0x303e},  {0x3041, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},
     {0xfe30, 0xfe6f},  {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1faff},
     {0x20000, 0x3fffd}}};

// Harmless to the cursor but able to make a line read as something else than it says.
constexpr std::array<Range, 6> kDeceptive = {{{0x61c, 0x61c},
                                              {0x200b, 0x200b},
                                              {0x200e, 0x200f},
                                              {0x2028, 0x202e},
                                              {0x2060, 0x206f},
                                              {0xfeff, 0xfeff}}};

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

int rune_width(char32_t code) {
  if (code < 0x300) return 1;
  if (in_ranges(code, kZeroWidth)) return 0;
  return in_ranges(code, kWide) ? 2 : 1;
}

void append_visible(std::string& out, std::string_view bytes, Rune rune) {
  if (!rune.valid) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
  } else if (rune.code == '\n') {
    out += "\\n";
  } else if (rune.code == '\t') {
    out += "\\t";
  } else if (rune.code == '\r') {
    out += "\\r";
  } else if (rune.code < 0x80 && is_control(rune.code)) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned>(rune.code));
  } else if (is_control(rune.code) || in_ranges(rune.code, kDeceptive)) {
    out += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(rune.code));
  } else {
    out += bytes;
  }
}

std::string sanitize(std::string_view text, bool keep_layout) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    Rune rune = decode_rune(text);
    std::string_view bytes = text.substr(0, rune.bytes);
    if (keep_layout && (bytes == "\n" || bytes == "\t")) {
      out += bytes;
    } else {
      append_visible(out, bytes, rune);
    }
    text.remove_prefix(rune.bytes);
  }
  return out;
}

/// The longest prefix of at most `width` columns, with the marks that belong to its last letter.
std::string_view prefix_of_width(std::string_view text, int width) {
  std::size_t taken = 0;
  for (int used = 0; taken < text.size();) {
    Rune rune = decode_rune(text.substr(taken));
    used += rune_width(rune.code);
    if (used > width) break;
    taken += rune.bytes;
  }
  return text.substr(0, taken);
}

std::string_view suffix_of_width(std::string_view text, int width) {
  int surplus = display_width(text) - width;
  while (!text.empty()) {
    int columns = rune_width(decode_rune(text).code);
    if (surplus <= 0 && columns > 0) break;  // a mark without its letter goes too
    surplus -= columns;
    text.remove_prefix(decode_rune(text).bytes);
  }
  return text;
}

void append_line(std::string& out, std::string_view line, std::string_view indent,
                 std::size_t columns) {
  std::string clean = sanitize_text(line);
  if (columns > 0 && clean.size() > columns) {
    std::string_view kept = prefix_of_width(clean, static_cast<int>(columns));
    out +=
        fmt::format("{}{} [{} more]\n", indent, kept, count_of(clean.size() - kept.size(), "byte"));
  } else if (clean.empty()) {
    out += '\n';  // no trailing blanks
  } else {
    out += fmt::format("{}{}\n", indent, clean);
  }
}

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

Rune decode_rune(std::string_view text) {
  auto at = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = at(0);
  if (lead < 0x80) return {lead, 1, true};
  std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {lead, 1, false};
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xc0) != 0x80) return {lead, 1, false};
    code = (code << 6) | (at(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest.at(bytes) || code > 0x10ffff || surrogate) return {lead, 1, false};
  return {code, bytes, true};
}

std::string sanitize_text(std::string_view text) {
  return sanitize(text, true);
}
std::string sanitize_line(std::string_view text) {
  return sanitize(text, false);
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    Rune rune = decode_rune(text);
    width += rune_width(rune.code);
    text.remove_prefix(rune.bytes);
  }
  return width;
}

std::string truncate_middle(std::string_view text, int width, std::string_view ellipsis) {
  if (display_width(text) <= width) return std::string(text);
  int room = width - display_width(ellipsis);
  if (room < 2) return std::string(prefix_of_width(text, std::max(width, 0)));
  std::string_view head = prefix_of_width(text, (room + 1) / 2);
  std::string_view tail = suffix_of_width(text, room - display_width(head));
  return fmt::format("{}{}{}", head, ellipsis, tail);
}

std::string truncate_end(std::string_view text, int width, std::string_view ellipsis) {
  if (display_width(text) <= width) return std::string(text);
  int room = width - display_width(ellipsis);
  if (room < 1) return std::string(prefix_of_width(text, std::max(width, 0)));
  return fmt::format("{}{}", prefix_of_width(text, room), ellipsis);
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

std::string excerpt(std::string_view text, std::string_view indent, ExcerptLimits limits) {
  std::vector<std::string_view> lines = split_lines(text);
  bool cut = limits.lines > 0 && lines.size() > limits.lines;
  std::size_t head = cut ? (limits.lines + 1) / 2 : lines.size();
  std::size_t tail = cut ? limits.lines / 2 : 0;
  std::string out;
  for (std::size_t i = 0; i < head; ++i) append_line(out, lines[i], indent, limits.columns);
  if (cut) {
    out += fmt::format("{}[{} cut, --verbose shows all]\n", indent,
                       count_of(lines.size() - head - tail, "line"));
  }
  for (std::size_t i = lines.size() - tail; i < lines.size(); ++i) {
    append_line(out, lines[i], indent, limits.columns);
  }
  return out;
}

std::string columns(const std::vector<std::vector<std::string>>& rows, std::size_t remarks) {
  std::vector<int> width;
  for (const std::vector<std::string>& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      width[i] = std::max(width[i], display_width(row[i]));
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(static_cast<std::size_t>(width[i] - display_width(row[i])), ' ');
      line += "  " + (i == 0 || i == remarks ? row[i] + gap : gap + row[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

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

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : sanitize_line(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace gordian
