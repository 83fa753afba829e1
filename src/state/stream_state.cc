// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Streams have their formatting state in a virtual base: where it lies stands before the table of
// virtual functions that an object points to.
#include <array>
#include <utility>

#include "state/containers.h"

namespace gordian {
namespace {

constexpr int kBases = 8;
constexpr std::uint64_t kToVirtualBase = 24;  // before the table, x86-64
constexpr std::uint32_t kSkipSpace = 0x1000;

const Type* ios_base_of(const Type& type, int depth) {
  if (std_class(type) == "basic_ios") return &type;
  for (const Member& member : type.members) {
    if (!member.is_base || member.type == nullptr || depth == 0) continue;
    if (const Type* found = ios_base_of(*member.type, depth - 1)) return found;
  }
  return nullptr;
}

std::string flags_text(std::uint32_t flags) {
  static constexpr std::array<std::pair<std::uint32_t, std::string_view>, 14> kNames{{
      {2, "dec"},
      {8, "hex"},
      {0x40, "oct"},
      {1, "boolalpha"},
      {4, "fixed"},
      {0x100, "scientific"},
      {0x10, "internal"},
      {0x20, "left"},
      {0x80, "right"},
      {0x200, "showbase"},
      {0x400, "showpoint"},
      {0x800, "showpos"},
      {0x2000, "unitbuf"},
      {0x4000, "uppercase"},
  }};
  std::string text;
  for (const auto& [bit, name] : kNames) {
    if (flags & bit) text += (text.empty() ? "" : " ") + std::string(name);
  }
  if (!(flags & kSkipSpace)) text += text.empty() ? "noskipws" : " noskipws";
  return text;
}

std::string failure_text(std::uint32_t state) {
  std::string text;
  if (state & 1) text += ", bad";
  if (state & 2) text += ", at end";
  if (state & 4) text += ", failed";
  return text;
}

/// The fill character that was set; a blank when there is none.
char fill_of(const ObjectReader& ios) {
  const Field fill = ios.field("_M_fill"), set = ios.field("_M_fill_init");
  if (!fill || fill.type->size != 1) return ' ';
  if (set && ios.image.value<char>(ios.address + set.offset).value_or(0) == 0) return ' ';
  return ios.image.value<char>(ios.address + fill.offset).value_or(' ');
}

std::string format_text(std::uint32_t flags, std::uint64_t precision, char fill,
                        std::uint32_t failure) {
  std::string text = flags_text(flags);
  if (precision != 6) text += ", precision " + std::to_string(precision);
  if (fill > ' ' && fill <= '~') text += std::string(", fill '") + fill + "'";
  return text + failure_text(failure);
}

}  // namespace

std::optional<StreamState> stream_state(const ObjectReader& object) {
  const Type* type = ios_base_of(object.type, kBases);
  if (type == nullptr) return std::nullopt;
  std::uint64_t at = object.address;
  if (type != &object.type) {
    const auto table = word_at(object.image, at);
    const auto offset = table ? word_at(object.image, *table - kToVirtualBase) : std::nullopt;
    if (!offset || *offset > 4096) return std::nullopt;
    at += *offset;
  }
  const ObjectReader ios{object.image, *type, at, 0};
  const Field precision = ios.field("_M_precision"), flags = ios.field("_M_flags");
  const Field state = ios.field("_M_streambuf_state");
  if (!precision || !flags || !state || state.offset < precision.offset) return std::nullopt;
  const auto bits = object.image.value<std::uint32_t>(at + flags.offset);
  const auto digits = ios.word("_M_precision");
  const auto failure = object.image.value<std::uint32_t>(at + state.offset);
  if (!bits || !digits || !failure) return std::nullopt;
  return StreamState{format_text(*bits, *digits, fill_of(ios), *failure), at + precision.offset,
                     state.offset + 4 - precision.offset};
}

std::optional<StreamState> stream_by_layout(const MemoryImage& image, std::uint64_t address,
                                            std::uint64_t size) {
  constexpr std::uint64_t kOutput = 272, kInput = 280;
  struct Ios {
    std::uint64_t table, precision, width;
    std::uint32_t flags, exceptions, failure;
  };
  if (size != kOutput && size != kInput) return std::nullopt;
  const auto table = word_at(image, address);
  const auto offset = table ? word_at(image, *table - kToVirtualBase) : std::nullopt;
  if (!offset || *offset != size - 264) return std::nullopt;  // what is left is the base
  const std::uint64_t at = address + *offset;
  const auto ios = image.value<Ios>(at);
  const auto fill = image.value<std::array<char, 2>>(at + 224);  // with whether it is set
  if (!ios || !fill || !word_at(image, ios->table)) return std::nullopt;
  const bool plausible = ios->precision < 1000 && ios->width < 100'000 &&
                         (ios->flags & ~0x7fffu) == 0 && ios->exceptions < 8 && ios->failure < 8 &&
                         ((*fill)[1] & ~1) == 0;
  if (!plausible) return std::nullopt;
  const char set_fill = (*fill)[1] == 1 ? (*fill)[0] : ' ';
  return StreamState{format_text(ios->flags, ios->precision, set_fill, ios->failure), at + 8,
                     218};  // up to the fill character
}

}  // namespace gordian
