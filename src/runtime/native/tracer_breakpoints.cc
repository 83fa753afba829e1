// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/tracer_breakpoints.h"

#include "runtime/native/tracer_ptrace.h"
#include "symbols/process_memory.h"

namespace gordian {
namespace {

constexpr std::uint8_t kInt3 = 0xcc;

}  // namespace

Status Breakpoints::replace(pid_t pid, pid_t through, std::span<const std::uint64_t> addresses) {
  if (in_place_) remove_from_copy(through);
  original_.clear();
  for (const std::uint64_t address : addresses) {
    if (contains(address)) continue;
    const auto byte = read_memory(pid, TargetAddr{address}, 1);
    if (!byte || (in_place_ && !poke_byte(through, address, kInt3))) {
      if (in_place_) remove_from_copy(through);
      original_.clear();
      return target_error("no code at address " + std::to_string(address) + " of process " +
                          std::to_string(pid));
    }
    original_[address] = static_cast<std::uint8_t>(byte->front());
  }
  return {};
}

void Breakpoints::lift(pid_t through) {
  if (in_place_) remove_from_copy(through);
  in_place_ = false;
}

void Breakpoints::put_back(pid_t through) {
  for (const auto& [address, byte] : original_) poke_byte(through, address, kInt3);
  in_place_ = true;
}

void Breakpoints::lift_one(pid_t through, std::uint64_t address) {
  poke_byte(through, address, original_.at(address));
}

void Breakpoints::put_back_one(pid_t through, std::uint64_t address) {
  poke_byte(through, address, kInt3);
}

void Breakpoints::remove_from_copy(pid_t copy) const {
  for (const auto& [address, byte] : original_) poke_byte(copy, address, byte);
}

void Breakpoints::hide(std::uint64_t at, std::string& bytes) const {
  for (auto found = original_.lower_bound(at);
       found != original_.end() && found->first < at + bytes.size(); ++found) {
    bytes[found->first - at] = static_cast<char>(found->second);
  }
}

}  // namespace gordian
