// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Checks of what the agent writes into memory that tests can write, too. They find accidents, and
// malice that does not know them; they are no signatures. What the agent uses among its own
// processes (claims, how far a runner came, keepers) is left out: it changes at other times, and is
// looked at before use. C++11 clean, libc only.
#pragma once

#include "wire/protocol.h"

namespace gordian_wire {

/// FNV-1a with a last mix, so that a change of any bit shows.
struct Check {
  explicit Check(uint32_t nonce) : value(0xcbf29ce484222325u ^ nonce) {}
  Check& operator<<(uint64_t word) {
    value = (value ^ word) * 0x100000001b3u;
    value ^= value >> 29;
    return *this;
  }
  Check& add(const char* bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) value = (value ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return *this << size;
  }
  /// Never 0, which is what memory holds that nobody wrote.
  uint32_t sum() const { return (uint32_t)(value ^ value >> 32) | 1; }

  uint64_t value;
};

inline bool is_branch_status(uint8_t status) {
  return status >= kBranchOk && status <= kBranchOpen;
}

inline uint32_t check_of(const Slot& slot, uint32_t token, uint32_t nonce) {
  bool branch = is_branch_status(slot.status);
  Check check(nonce);
  check << token << (uint64_t)slot.status << slot.flags << slot.wait_status << slot.duration_ns
        << slot.worker << slot.leaked_threads << slot.leaked_children << slot.more_flags;
  if (!branch) check << slot.text << slot.output_begin << slot.output_end;
  return check.sum();
}

inline uint32_t check_of(const WorkerState& state, uint32_t worker, uint32_t nonce) {
  return (Check(nonce) << worker << state.pid << state.slot << state.since_ns).sum();
}

/// `bytes`: those behind `text`.
inline uint32_t check_of(const FailureText& text, const char* bytes, uint32_t nonce) {
  Check check(nonce);
  check << (uint64_t)(uint32_t)text.line << text.file_size << text.message_size;
  return check.add(bytes, (size_t)text.file_size + text.message_size).sum();
}

/// True if it says what its writer said.
inline bool is_intact(const Slot& slot, uint32_t token, uint32_t nonce) {
  return slot.check == check_of(slot, token, nonce);
}

/// A slot that nobody has written to since the plan was loaded, claims apart.
inline bool is_untouched(const Slot& slot, uint32_t token, uint32_t nonce) {
  return slot.status == kNotRun && is_intact(slot, token, nonce);
}

}  // namespace gordian_wire
