// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/tracer_ptrace.h"

#include <gtest/gtest.h>

#include <map>

namespace gordian {
namespace {

constexpr std::uint64_t kCode = 0x401000, kData = 0x7000;

/// Code at kCode, of which no table knows more than where it begins (or not even that).
struct Machine {
  std::string code;
  bool has_table = true;
  std::map<std::uint64_t, std::uint64_t> stack{};
  Registers registers{};

  WatchedAccess find(std::size_t stands_at, Watch watch, bool changed) {
    registers.rip = kCode + stands_at;
    AccessDecoder decoder(
        [&](std::uint64_t at, std::size_t size) -> std::string {
          if (const auto word = stack.find(at); word != stack.end()) {
            return std::string(reinterpret_cast<const char*>(&word->second), 8);
          }
          if (at < kCode || at >= kCode + code.size()) return "";
          return code.substr(at - kCode, size);
        },
        [&](std::uint64_t) { return has_table ? std::optional(kCode) : std::nullopt; });
    return decoder.find(registers, watch, changed);
  }
};

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

const Watch kReads{kData, 8, true};
const Watch kWrites{kData, 8, false};

TEST(AccessDecoder, TheInstructionBeforeTheProgramCounterDecides) {
  Machine machine{bytes({0x90, 0x48, 0x89, 0x07, 0x90})};  // nop; mov [rdi],rax; nop
  machine.registers.rdi = kData;
  const WatchedAccess access = machine.find(4, kReads, false);
  EXPECT_EQ(access.kind, TraceKind::write) << "also when it writes what was there";
  EXPECT_EQ(access.instruction, kCode + 1);
  EXPECT_TRUE(access.decoded);
}

TEST(AccessDecoder, WithoutATableTheLengthsAreTried) {
  Machine machine{bytes({0x90, 0x48, 0x89, 0x07, 0x90}), false, {}, {}};
  machine.registers.rdi = kData;
  const WatchedAccess access = machine.find(4, kReads, false);
  EXPECT_EQ(access.kind, TraceKind::write);
  EXPECT_LE(access.instruction, kCode + 2);
}

TEST(AccessDecoder, ARegisterThatTheInstructionOverwroteIsNoObstacle) {
  Machine machine{bytes({0x48, 0x8b, 0x00, 0x90})};  // mov rax,[rax]
  machine.registers.rax = 0x1234;
  const WatchedAccess access = machine.find(3, kReads, false);
  EXPECT_EQ(access.kind, TraceKind::read);
  EXPECT_EQ(access.instruction, kCode);
  EXPECT_TRUE(access.decoded);
}

TEST(AccessDecoder, ReadModifyWrite) {
  Machine machine{bytes({0xf0, 0x48, 0x0f, 0xb1, 0x17})};  // lock cmpxchg [rdi],rdx
  machine.registers.rdi = kData;
  EXPECT_EQ(machine.find(5, kReads, false).kind, TraceKind::read_write);
  Machine add{bytes({0x48, 0xff, 0x07})};  // inc [rdi]
  add.registers.rdi = kData;
  EXPECT_EQ(add.find(3, kWrites, true).kind, TraceKind::read_write);
}

TEST(AccessDecoder, ThreadLocalMemoryIsAddressedThroughItsSegment) {
  // mov eax, fs:[0x10]; the other operand's register also holds the address
  Machine machine{bytes({0x64, 0x8b, 0x04, 0x25, 0x10, 0, 0, 0})};
  machine.registers.fs_base = kData - 0x10;
  EXPECT_EQ(machine.find(8, kReads, false).kind, TraceKind::read);
}

TEST(AccessDecoder, ARepeatedCopyMayStandInTheMiddle) {
  Machine machine{bytes({0x90, 0xf3, 0xa4, 0x90})};  // nop; rep movsb; nop
  machine.registers.rcx = 10;
  machine.registers.rdi = kData + 1;
  machine.registers.rsi = 0x100000;
  WatchedAccess access = machine.find(1, kReads, false);
  EXPECT_EQ(access.kind, TraceKind::write);
  EXPECT_EQ(access.instruction, kCode + 1);
  machine.registers.rdi = 0x100000;
  machine.registers.rsi = kData + 1;
  access = machine.find(1, kReads, false);
  EXPECT_EQ(access.kind, TraceKind::read);
  machine.registers.rcx = 0;
  EXPECT_EQ(machine.find(3, kReads, false).kind, TraceKind::read) << "at its end";
}

TEST(AccessDecoder, ACallThroughMemoryIsFoundByItsReturnAddress) {
  // call [rip+x] at 0, then the function at 7 that the thread stands in
  Machine machine{bytes({0xff, 0x15, 0, 0, 0, 0, 0xc3, 0x55})};
  const std::uint64_t slot = kCode + 6;
  machine.registers.rsp = 0x9000;
  machine.stack[0x9000] = kCode + 6;
  const WatchedAccess access = machine.find(7, {slot & ~std::uint64_t{7}, 8, true}, false);
  EXPECT_EQ(access.kind, TraceKind::read);
  EXPECT_EQ(access.instruction, kCode);
  EXPECT_TRUE(access.in_caller);
}

TEST(AccessDecoder, WhatCannotBeReadIsJudgedByTheValue) {
  Machine machine{bytes({0x90, 0x90}), false, {}, {}};
  EXPECT_EQ(machine.find(2, kReads, true).kind, TraceKind::write);
  EXPECT_EQ(machine.find(2, kReads, false).kind, TraceKind::read);
  EXPECT_EQ(machine.find(2, kWrites, false).kind, TraceKind::write);
  EXPECT_FALSE(machine.find(2, kReads, false).decoded);
}

}  // namespace
}  // namespace gordian
