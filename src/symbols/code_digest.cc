// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/code_hash.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/sha256.h"

namespace gordian {
namespace {

constexpr std::uint64_t kMostData = std::uint64_t{64} * 1024;
constexpr std::uint64_t kMostText = 4096;

/// Functions that are told the line they are called from, and in which register. Inserting a line
/// above a test would otherwise change every test below.
constexpr std::array<std::pair<std::string_view, ZydisRegister>, 7> kTakeALine = {{
    {"12AssertHelperC", ZYDIS_REGISTER_ECX},
    {"9DeathTest6Create", ZYDIS_REGISTER_ECX},
    {"11ScopedTraceC", ZYDIS_REGISTER_EDX},
    {"8GTestLogC", ZYDIS_REGISTER_EDX},
    {"18InternalExpectedAt", ZYDIS_REGISTER_EDX},
    {"26InternalDefaultActionSetAt", ZYDIS_REGISTER_EDX},
    {"__assert_fail", ZYDIS_REGISTER_EDX},
}};

/// A literal: ends with a zero, holds no control characters and no bytes that UTF-8 never has (as
/// the tables of jumps do that lie between the literals).
std::string_view literal(std::string_view bytes) {
  const std::size_t end = bytes.find('\0');
  if (end == std::string_view::npos) return {};
  const std::string_view text = bytes.substr(0, end);
  auto odd = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && (byte < '\t' || byte > '\r')) || byte > 0xf7;
  };
  return std::any_of(text.begin(), text.end(), odd) ? std::string_view() : text;
}

class Writer {
 public:
  explicit Writer(const CodeMap& map) : map_(map) {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  }

  CodeDigest function(const CodeSymbol& symbol) {
    text_ = stable_name(symbol.name);
    const std::string_view code = map_.bytes_at(symbol.start, symbol.size);
    for (std::size_t at = 0; at < code.size();) at += instruction(symbol, code, at);
    return take();
  }

  CodeDigest data(const CodeSymbol& symbol) {
    text_ = stable_name(symbol.name);
    const std::string_view bytes = map_.bytes_at(symbol.start, std::min(symbol.size, kMostData));
    for (std::size_t at = 0; at < bytes.size();) {
      std::optional<Pointer> pointer;
      if (bytes.size() - at >= 8) pointer = map_.pointer_at(symbol.start + at);
      if (pointer) refer(*pointer);
      if (!pointer) text_ += bytes[at];
      at += pointer ? 8 : 1;
    }
    return take();
  }

 private:
  /// Appends it; returns its length.
  std::size_t instruction(const CodeSymbol& function, std::string_view code, std::size_t at) {
    ZydisDecodedInstruction decoded;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    const char* here = code.data() + at;
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeFull(&decoder_, here, code.size() - at, &decoded, operands.data()))) {
      text_ += *here;
      return 1;
    }
    const std::size_t begin = text_.size();
    text_.append(here, decoded.length);
    const std::uint64_t next = function.start + at + decoded.length;
    for (int i = 0; i < decoded.operand_count_visible; ++i) {
      if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY) memory(decoded, operands[i], next, begin);
      if (operands[i].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        immediate(decoded, operands.data(), operands[i], function, next, begin);
      }
    }
    return decoded.length;
  }

  void memory(const ZydisDecodedInstruction& decoded, const ZydisDecodedOperand& operand,
              std::uint64_t next, std::size_t begin) {
    const auto offset = static_cast<std::uint64_t>(operand.mem.disp.value);
    const bool relative = operand.mem.base == ZYDIS_REGISTER_RIP;
    const bool plain = map_.fixed_address() && map_.in_image(offset);
    if (!relative && !plain) return;
    mask(begin + decoded.raw.disp.offset, decoded.raw.disp.size);
    const bool address_only = operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN;
    refer(relative ? next + offset : offset, address_only ? 0 : operand.size / 8);
    if (decoded.meta.category == ZYDIS_CATEGORY_CALL) forget_line(last_name_);
  }

  void immediate(const ZydisDecodedInstruction& decoded, const ZydisDecodedOperand* operands,
                 const ZydisDecodedOperand& operand, const CodeSymbol& function, std::uint64_t next,
                 std::size_t begin) {
    const auto& raw = decoded.raw.imm[0];
    if (operand.imm.is_relative) {
      const std::uint64_t target = next + static_cast<std::uint64_t>(operand.imm.value.s);
      if (target - function.start < function.size) return;
      mask(begin + raw.offset, raw.size);
      refer(target, 0);
      forget_line(last_name_);
      return;
    }
    if (map_.fixed_address() && raw.size >= 32 && map_.in_image(operand.imm.value.u)) {
      mask(begin + raw.offset, raw.size);
      refer(operand.imm.value.u, 0);
    } else if (decoded.mnemonic == ZYDIS_MNEMONIC_MOV &&
               operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER) {
      moved_[operands[0].reg.value] = {begin + raw.offset, raw.size};
    }
  }

  void mask(std::size_t at, std::size_t bits) {
    for (std::size_t i = 0; i < bits / 8 && at + i < text_.size(); ++i) text_[at + i] = '\0';
  }

  void forget_line(const std::string& callee) {
    for (const auto& [name, where] : kTakeALine) {
      if (callee.find(name) == std::string::npos) continue;
      if (auto it = moved_.find(where); it != moved_.end())
        mask(it->second.first, it->second.second);
    }
    moved_.clear();
  }

  void refer(const Pointer& pointer) {
    if (pointer.address != 0) return refer(pointer.address, 0, false);
    name(pointer.name);
  }

  void name(const std::string& called) {
    last_name_ = stable_name(called);
    text_ += '<' + last_name_ + '>';
  }

  /// `size`: how many bytes are read there; 0 for the address itself. Only one pointer is followed:
  /// there are some that point to themselves.
  void refer(std::uint64_t address, std::uint64_t size, bool follow = true) {
    if (const CodeSymbol* symbol = map_.symbol_at(address)) {
      name(symbol->name);
      if (address != symbol->start) text_ += '+' + std::to_string(address - symbol->start);
      uses_.push_back(symbol->start);
    } else if (auto pointer = map_.pointer_at(address); pointer && follow) {
      refer(*pointer);  // a slot of the global offset table
    } else if (map_.is_executable(address)) {
      stub(address);
    } else if (map_.is_constant(address)) {
      const std::string_view bytes = map_.bytes_at(address, size > 0 ? size : kMostText);
      text_ += '"' + std::string(size > 0 ? bytes : literal(bytes)) + '"';
    } else {
      text_ += '?';
    }
  }

  /// The way to a function of a library: perhaps a landing pad, then a jump by a slot.
  void stub(std::uint64_t address) {
    for (int i = 0; i < 3; ++i) {
      const std::string_view code = map_.bytes_at(address, ZYDIS_MAX_INSTRUCTION_LENGTH);
      ZydisDecodedInstruction decoded;
      std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
      if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, code.data(), code.size(), &decoded,
                                               operands.data()))) {
        break;
      }
      address += decoded.length;
      const auto& first = operands[0];
      if (decoded.mnemonic != ZYDIS_MNEMONIC_JMP) continue;
      if (first.type != ZYDIS_OPERAND_TYPE_MEMORY || first.mem.base != ZYDIS_REGISTER_RIP) break;
      auto pointer = map_.pointer_at(address + static_cast<std::uint64_t>(first.mem.disp.value));
      if (pointer && !pointer->name.empty()) return name(pointer->name);
      break;
    }
    text_ += "<stub>";
  }

  CodeDigest take() {
    Sha256 sha;
    sha.update(text_);
    std::sort(uses_.begin(), uses_.end());
    uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
    return {sha.hex_digest(), std::move(uses_)};
  }

  const CodeMap& map_;
  ZydisDecoder decoder_;
  std::string text_, last_name_;
  std::vector<std::uint64_t> uses_;
  std::map<int, std::pair<std::size_t, std::size_t>> moved_;  ///< register -> where its number is
};

}  // namespace

std::string stable_name(const std::string& name) {
  return name.substr(0, name.find('.', 1));
}

CodeDigest digest_function(const CodeMap& map, const CodeSymbol& function) {
  return Writer(map).function(function);
}

CodeDigest digest_data(const CodeMap& map, const CodeSymbol& object) {
  return Writer(map).data(object);
}

}  // namespace gordian
