// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/tracer_ptrace.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace gordian {
namespace {

constexpr std::size_t kLongest = ZYDIS_MAX_INSTRUCTION_LENGTH;
constexpr std::uint64_t kMostDecoded = 1 << 16;
/// A processor may do this much of a repeated instruction before it tells of a hit.
constexpr std::uint64_t kStringStride = 64;

const ZydisDecoder& decoder() {
  static const ZydisDecoder instance = [] {
    ZydisDecoder made;
    ZydisDecoderInit(&made, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return made;
  }();
  return instance;
}

struct Instruction {
  std::uint64_t at = 0;
  ZydisDecodedInstruction info;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;

  std::uint64_t end() const { return at + info.length; }
  bool is_call() const { return info.meta.category == ZYDIS_CATEGORY_CALL; }
  bool is_string() const { return info.meta.category == ZYDIS_CATEGORY_STRINGOP; }
  bool is_repeated() const {
    constexpr auto kRepeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
    return is_string() && (info.attributes & kRepeats) != 0;
  }
};

std::optional<Instruction> decode(std::string_view code, std::uint64_t at) {
  Instruction result;
  result.at = at;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder(), code.data(), code.size(), &result.info,
                                           result.operands.data()))) {
    return std::nullopt;
  }
  return result;
}

ZydisRegisterContext context_of(const Registers& from) {
  ZydisRegisterContext context{};
  const auto set = [&](ZydisRegister name, std::uint64_t value) { context.values[name] = value; };
  set(ZYDIS_REGISTER_RAX, from.rax), set(ZYDIS_REGISTER_RBX, from.rbx);
  set(ZYDIS_REGISTER_RCX, from.rcx), set(ZYDIS_REGISTER_RDX, from.rdx);
  set(ZYDIS_REGISTER_RSI, from.rsi), set(ZYDIS_REGISTER_RDI, from.rdi);
  set(ZYDIS_REGISTER_RBP, from.rbp), set(ZYDIS_REGISTER_RSP, from.rsp);
  set(ZYDIS_REGISTER_R8, from.r8), set(ZYDIS_REGISTER_R9, from.r9);
  set(ZYDIS_REGISTER_R10, from.r10), set(ZYDIS_REGISTER_R11, from.r11);
  set(ZYDIS_REGISTER_R12, from.r12), set(ZYDIS_REGISTER_R13, from.r13);
  set(ZYDIS_REGISTER_R14, from.r14), set(ZYDIS_REGISTER_R15, from.r15);
  return context;
}

/// Operands that really touch memory: no `lea`, no `nop`.
bool touches(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
         operand.actions != 0;
}

/// Whether an operand covers the watch, judged by the registers after the instruction. It may have
/// changed the ones that the address was made of: a no is not certain.
bool covers(const Instruction& instruction, const ZydisDecodedOperand& operand,
            const Registers& registers, const Watch& watch) {
  if (instruction.is_string()) {
    // Its pointer has moved on, upwards or (direction flag) downwards.
    const bool down = (registers.eflags & 0x400) != 0;
    const std::uint64_t pointer =
        operand.mem.base == ZYDIS_REGISTER_RSI ? registers.rsi : registers.rdi;
    const std::uint64_t past = down ? watch.address - pointer : pointer - watch.address;
    return past >= 1 && past <= kStringStride + watch.size;
  }
  const ZydisRegisterContext context = context_of(registers);
  std::uint64_t address = 0;
  if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddressEx(&instruction.info, &operand, instruction.at,
                                               &context, &address))) {
    return false;
  }
  if (operand.mem.segment == ZYDIS_REGISTER_FS) address += registers.fs_base;
  if (operand.mem.segment == ZYDIS_REGISTER_GS) address += registers.gs_base;
  const std::uint64_t size = std::max<std::uint64_t>(1, operand.size / 8);
  return address < watch.address + watch.size && watch.address < address + size;
}

struct Use {
  bool any = false, certain = false;
  ZydisOperandActions actions = 0;
};

/// What the instruction does with the watched place: by the operands that cover it or, when none is
/// seen to, by all that are written out.
Use use_of(const Instruction& instruction, const Registers& registers, const Watch& watch) {
  Use sure, likely, hidden;
  for (int i = 0; i < instruction.info.operand_count; ++i) {
    const ZydisDecodedOperand& operand = instruction.operands[static_cast<std::size_t>(i)];
    if (!touches(operand)) continue;
    const bool certain = covers(instruction, operand, registers, watch);
    const bool shown = operand.visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    Use& use = certain ? sure : shown ? likely : hidden;
    use.any = true;
    use.certain = certain;
    use.actions |= operand.actions;
  }
  return sure.any ? sure : likely.any ? likely : hidden;
}

TraceKind kind_of(const Instruction& instruction, const Use& use, const Watch& watch,
                  bool changed) {
  const bool reads = (use.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
  const bool writes = (use.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  // Only a write can change it, and only writes stop at a watch for writes.
  const bool written = changed || !watch.reads;
  // A copy reads here and writes there, never both in one place.
  if (reads && writes && !instruction.is_string()) return TraceKind::read_write;
  if (reads && writes) return written ? TraceKind::write : TraceKind::read;
  return writes || written ? TraceKind::write : TraceKind::read;
}

}  // namespace

/// Where the instruction begins that ends at `end`; 0 when that cannot be told.
std::uint64_t AccessDecoder::find_start(std::uint64_t end, const Registers& registers,
                                        const Watch& watch) {
  const std::optional<std::uint64_t> known = start_before_(end - 1);
  if (known && end - *known <= kMostDecoded) {
    const std::string code = read_(*known, end - *known);
    for (std::size_t at = 0; at < code.size();) {
      const auto found = decode(std::string_view(code).substr(at), *known + at);
      if (!found) break;
      if (found->end() == end) return found->at;
      at += found->info.length;
    }
  }
  // No table knows this code. Many lengths may fit; the longest that covers the watch is likeliest.
  std::uint64_t likely = 0;
  for (std::size_t length = kLongest; length >= 1; --length) {
    const std::string code = read_(end - length, length);
    const auto found = code.size() == length ? decode(code, end - length) : std::nullopt;
    if (!found || found->end() != end) continue;
    const Use use = use_of(*found, registers, watch);
    if (use.certain) return found->at;
    if (use.any && likely == 0) likely = found->at;
  }
  return likely;
}

WatchedAccess AccessDecoder::find(const Registers& registers, const Watch& watch, bool changed) {
  const auto before = [&](std::uint64_t end) -> std::optional<Instruction> {
    auto [start, fresh] = starts_.try_emplace(end, 0);
    if (fresh) start->second = find_start(end, registers, watch);
    if (start->second == 0) return std::nullopt;
    auto found = decode(read_(start->second, end - start->second), start->second);
    if (found && found->end() == end) return found;
    starts_.erase(start);  // the code is not what it was
    return std::nullopt;
  };
  const auto answer = [&](const Instruction& instruction, const Use& use, bool in_caller) {
    return WatchedAccess{kind_of(instruction, use, watch, changed), instruction.at, in_caller,
                         true};
  };

  const auto previous = before(registers.rip);
  const Use use = previous ? use_of(*previous, registers, watch) : Use{};
  if (use.certain) return answer(*previous, use, false);

  const auto current = decode(read_(registers.rip, kLongest), registers.rip);
  if (current && current->is_repeated()) {
    const Use repeated = use_of(*current, registers, watch);
    if (repeated.certain) return answer(*current, repeated, false);
  }
  std::uint64_t return_to = 0;
  const std::string top = read_(registers.rsp, sizeof(return_to));
  if (top.size() == sizeof(return_to)) std::memcpy(&return_to, top.data(), sizeof(return_to));
  const auto call = return_to > kLongest ? before(return_to) : std::nullopt;
  if (call && call->is_call()) {
    const Use called = use_of(*call, registers, watch);
    if (called.certain) return answer(*call, called, true);
  }
  if (use.any) return answer(*previous, use, false);
  return {changed || !watch.reads ? TraceKind::write : TraceKind::read, registers.rip, false,
          false};
}

}  // namespace gordian
