// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The engine's side of the shared memory of wire/protocol.h. Everything the agent writes is checked
// before use: the other side may be a process that a test has scribbled over.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "suite/test.h"
#include "symbols/hook_addresses.h"
#include "wire/protocol.h"

namespace gordian {

class WireMemory {
 public:
  /// Room for `tokens` plan tokens and `workers` workers with a capture file each.
  static Result<WireMemory> create(std::uint32_t tokens, std::uint32_t workers);

  WireMemory(WireMemory&& other) noexcept;
  WireMemory& operator=(WireMemory&&) = delete;
  ~WireMemory();

  gordian_wire::Header& header() { return *header_; }
  const gordian_wire::Header& header() const { return *header_; }
  int fd() const { return fd_.get(); }
  int capture_fd(std::uint32_t worker) const { return captures_.at(worker).get(); }
  std::uint32_t capacity() const { return header_->cap_tokens; }

  /// Writes a plan, clears its slots and the texts and outputs of the last one.
  /// REQUIRES: tokens.size() <= capacity(), nothing running.
  void load_plan(std::span<const std::int32_t> tokens);

  /// A copy of a slot; the agent may be writing it.
  gordian_wire::Slot slot(std::uint32_t token) const;
  void flag_slot(std::uint32_t token, std::uint8_t flag);
  void unflag_slot(std::uint32_t token, std::uint8_t flag);

  struct Failure {
    std::string file;
    int line = 0;
    std::string message;
  };
  std::optional<Failure> failure(std::uint32_t offset) const;
  std::string output(const gordian_wire::Slot& slot) const;
  std::uint64_t output_size(std::uint32_t worker) const;
  /// What the program printed before its first test.
  std::string early_output() const;

  std::vector<LoadedModule> modules(const std::string& executable) const;
  Result<std::vector<Test>> tests() const;

 private:
  WireMemory(UniqueFd fd, gordian_wire::Header* header, std::size_t size);
  Status open_captures(std::uint32_t workers);
  /// `size` bytes of the arena, or nullptr when they are not all inside it.
  const char* arena(std::uint64_t offset, std::uint64_t size) const;

  UniqueFd fd_;
  gordian_wire::Header* header_ = nullptr;
  std::size_t size_ = 0;
  std::vector<UniqueFd> captures_;
  std::uint64_t arena_keep_ = 0;  ///< end of what must survive load_plan(): modules and tests
};

}  // namespace gordian
