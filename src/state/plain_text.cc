// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "state/type_shape.h"
#include "state/value_text.h"

namespace gordian {
namespace {

constexpr const char* kUnreadable = "unreadable";

template <class Float>
std::string shortest(const MemoryImage& image, std::uint64_t address) {
  const auto value = image.value<Float>(address);
  if (!value) return kUnreadable;
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, *value);
  return {text, end.ptr};
}

std::string hex_text(const MemoryImage& image, std::uint64_t address, std::uint64_t size) {
  constexpr std::uint64_t kShown = 16;
  unsigned char bytes[kShown];
  const std::uint64_t shown = std::min(size, kShown);
  if (!image.read(address, bytes, shown)) return kUnreadable;
  std::string text;
  for (std::uint64_t i = 0; i < shown; ++i) {
    text += fmt::format("{}{:02x}", i > 0 ? " " : "", bytes[i]);
  }
  if (shown < size) text += fmt::format(" ... ({} more)", size - shown);
  return text;
}

std::string floating_text(const MemoryImage& image, const Type& type, std::uint64_t address) {
  if (type.size == 4) return shortest<float>(image, address);
  if (type.size == 8) return shortest<double>(image, address);
  if (type.size == 16) return shortest<long double>(image, address);
  return hex_text(image, address, type.size);
}

std::string enumerator_text(const Type& type, std::int64_t value) {
  for (const auto& [name, number] : type.enumerators) {
    if (number == value) return name;
  }
  return std::to_string(value);
}

std::string character_text(const Type& type, std::int64_t value) {
  if (type.size == 1 && !is_char(type)) return std::to_string(value);
  if (type.size == 1) return "'" + escaped(std::string(1, static_cast<char>(value)), '\'') + "'";
  return "'" + escaped(utf8_of(static_cast<std::uint32_t>(value)), '\'') + "'";
}

bool is_signed(const Type& type) {
  if (type.kind == TypeKind::enumeration) {  // debug information need not tell what is below it
    return std::any_of(type.enumerators.begin(), type.enumerators.end(),
                       [](const auto& enumerator) { return enumerator.second < 0; });
  }
  return type.kind == TypeKind::integer ||
         (type.kind == TypeKind::character && type.name == "signed char");
}

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

std::optional<std::int64_t> plain_value(const MemoryImage& image, const Type& type,
                                        std::uint64_t address, const Member* member) {
  std::uint64_t bits = 0;
  std::uint32_t width = static_cast<std::uint32_t>(type.size * 8);
  if (type.size == 0 || type.size > 8) return std::nullopt;
  if (member != nullptr && member->bit_size != 0) {
    width = member->bit_size;
    if (width > 64 || member->bit_offset > 64 || member->bit_offset + width > 64) return {};
    const std::size_t size = (member->bit_offset + width + 7) / 8;
    if (!image.read(address, &bits, size)) return std::nullopt;
    bits >>= member->bit_offset;
  } else if (!image.read(address, &bits, type.size)) {
    return std::nullopt;
  }
  const std::uint32_t unused = 64 - width;
  const auto high = static_cast<std::int64_t>(bits << unused);
  return is_signed(type) ? high >> unused
                         : static_cast<std::int64_t>(static_cast<std::uint64_t>(high) >> unused);
}

std::string plain_text(const MemoryImage& image, const Type& type, std::uint64_t address,
                       const Member* member) {
  if (type.kind == TypeKind::floating) return floating_text(image, type, address);
  if (type.size > 8) return hex_text(image, address, type.size);
  const auto value = plain_value(image, type, address, member);
  if (!value) return kUnreadable;
  if (type.kind == TypeKind::boolean && (*value & ~1) == 0) return *value ? "true" : "false";
  if (type.kind == TypeKind::character) return character_text(type, *value);
  if (type.kind == TypeKind::enumeration) return enumerator_text(type, *value);
  if (type.kind == TypeKind::natural) return std::to_string(static_cast<std::uint64_t>(*value));
  return std::to_string(*value);
}

std::string bytes_text(MemoryView view, std::uint64_t address, std::uint64_t size) {
  if (size == 1 || size == 2 || size == 4 || size == 8) {
    Type number;
    number.kind = TypeKind::integer;
    number.size = size;
    return plain_text(*view.memory, number, address, nullptr);
  }
  return size == 0 ? "nothing" : hex_text(*view.memory, address, size);
}

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
