// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The `int3` instructions that a Tracer has put into a process, and the bytes that were there. Each
// function is told through which stopped thread the memory can be written.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "base/result.h"

namespace gordian {

class Breakpoints {
 public:
  bool empty() const { return original_.empty(); }
  bool contains(std::uint64_t address) const { return original_.contains(address); }
  /// False while they are lifted.
  bool in_place() const { return in_place_; }

  /// Takes the old ones away and puts these. On an error, none are left.
  Status replace(pid_t pid, pid_t through, std::span<const std::uint64_t> addresses);
  /// All of them, for a while: another process shares the memory.
  void lift(pid_t through);
  void put_back(pid_t through);
  /// One of them, so that its instruction can be run.
  void lift_one(pid_t through, std::uint64_t address);
  void put_back_one(pid_t through, std::uint64_t address);
  /// Takes them out of a copy of the memory, a forked process; our own stay.
  void remove_from_copy(pid_t copy) const;
  /// The memory is gone.
  void forget() { original_.clear(); }

  /// `bytes` from `at`, with the program's own code in place of ours.
  void hide(std::uint64_t at, std::string& bytes) const;

 private:
  std::map<std::uint64_t, std::uint8_t> original_;
  bool in_place_ = true;
};

}  // namespace gordian
