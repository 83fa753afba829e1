// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/quoted_text.h"

#include <fmt/format.h>

namespace gordian {
namespace {

/// Bytes of the UTF-8 sequence at the beginning of `bytes`; 0 when there is none.
std::size_t sequence_length(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : (first & 0xf0) == 0xe0         ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  if (length > bytes.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(bytes[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

std::string escaped_byte(char c, char quote) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    case '\0':
      return "\\0";
    default:
      break;
  }
  if (c == quote || c == '\\') return {'\\', c};
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20 || byte >= 0x7f) return fmt::format("\\x{:02x}", byte);
  return {c};
}

}  // namespace

std::string escaped(std::string_view bytes, char quote) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = sequence_length(bytes);
    if (length > 1) {
      text += bytes.substr(0, length);
    } else {
      text += escaped_byte(bytes[0], quote);
    }
    bytes.remove_prefix(length > 1 ? length : 1);
  }
  return text;
}

std::string utf8_of(std::uint32_t code) {
  if (code >= 0x110000 || (code >= 0xd800 && code < 0xe000)) return "?";
  auto tail = [code](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xc0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xe0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

}  // namespace gordian
