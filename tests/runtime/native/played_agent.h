// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A shared memory whose other side is played by the test: it writes slots and texts as the agent
// would.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "base/check.h"
#include "runtime/native/decode.h"
#include "runtime/native/plan.h"
#include "runtime/native/wire_memory.h"
#include "wire/check.h"

namespace gordian {

class PlayedAgent : public testing::Test {
 protected:
  PlayedAgent() : memory_(create()) {}

  /// What the agent sees before it runs this plan.
  void load(Plan plan) {
    plan_ = std::move(plan);
    memory_.load_plan(plan_.tokens());
  }

  /// As it is in memory; seal() when something of it was changed.
  gordian_wire::Slot& slot(std::uint32_t token) {
    char* base = reinterpret_cast<char*>(&memory_.report());
    return reinterpret_cast<gordian_wire::Slot*>(base + memory_.header().slots_offset)[token];
  }

  void seal(std::uint32_t token) {
    slot(token).check = check_of(slot(token), token, memory_.header().nonce);
  }

  void set(std::uint32_t token, gordian_wire::SlotStatus status) {
    slot(token).status = status;
    seal(token);
  }

  /// A branch that has ended as waitpid says.
  void end_branch(std::uint32_t open, int wait_status) {
    slot(open).wait_status = static_cast<std::uint16_t>(wait_status);
    set(open, wait_status == 0 ? gordian_wire::kBranchOk : gordian_wire::kBranchDied);
  }

  /// Returns the arena offset of a failure's text.
  std::uint32_t text(const std::string& file, int line, const std::string& message) {
    gordian_wire::Report& report = memory_.report();
    auto offset = static_cast<std::uint32_t>(report.arena_used);
    gordian_wire::FailureText head{line, static_cast<std::uint32_t>(file.size()),
                                   static_cast<std::uint32_t>(message.size()), 0};
    head.check = check_of(head, (file + message).data(), memory_.header().nonce);
    char* at = reinterpret_cast<char*>(&report) + memory_.header().arena_offset + offset;
    std::memcpy(at, &head, sizeof head);
    std::memcpy(at + sizeof head, file.data(), file.size());
    std::memcpy(at + sizeof head + file.size(), message.data(), message.size());
    report.arena_used += (sizeof head + file.size() + message.size() + 7) / 8 * 8;
    return offset;
  }

  void fail(std::uint32_t token, const std::string& file, int line, const std::string& message) {
    slot(token).text = text(file, line, message);
    set(token, gordian_wire::kFail);
  }

  void print(std::uint32_t token, const std::string& output) {
    slot(token).output_begin = memory_.output_size(0);
    GORDIAN_CHECK(::pwrite(memory_.capture_fd(0), output.data(), output.size(),
                           static_cast<off_t>(slot(token).output_begin)) ==
                  static_cast<ssize_t>(output.size()));
    slot(token).output_end = slot(token).output_begin + output.size();
    seal(token);
  }

  static constexpr ProcessState kBusy{false, false, 0}, kDone{true, false, 0};
  static ProcessState gone(int wait_status) { return {true, true, wait_status}; }
  static int exited(int code) { return code << 8; }

  WireMemory memory_;
  Plan plan_ = Plan::in_process({});

 private:
  static WireMemory create() {
    auto memory = WireMemory::create(64, 1);
    GORDIAN_CHECK(memory.ok());
    return std::move(*memory);
  }
};

}  // namespace gordian
