// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The engine's side of the shared memory of wire/protocol.h. The header is ours alone: the target
// can read it. Everything in the report is checked before use: the other side may be a process that
// a test has scribbled over, or means harm. Sizes and places are remembered here, not read there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "frameworks/framework_symbols.h"
#include "model/test.h"
#include "wire/protocol.h"

namespace gordian {

/// As others meet it: in the mappings of a process it is "/memfd:gordian-wire (deleted)".
inline constexpr const char* kWireFile = "gordian-wire";

class WireMemory {
 public:
  /// Room for `tokens` plan tokens and `workers` workers with a capture file each.
  static Result<WireMemory> create(std::uint32_t tokens, std::uint32_t workers);

  WireMemory(WireMemory&& other) noexcept;
  WireMemory& operator=(WireMemory&&) = delete;
  ~WireMemory();

  gordian_wire::Header& header() { return *header_; }
  const gordian_wire::Header& header() const { return *header_; }
  /// What the target writes, at any time: input. Copy before looking twice.
  gordian_wire::Report& report() { return *report_; }
  const gordian_wire::Report& report() const { return *report_; }
  /// The report as it was before the first test, and so before any test could write there. All
  /// zero until keep_start().
  const gordian_wire::Report& at_start() const { return *at_start_; }
  void keep_start() { *at_start_ = *report_; }

  int header_fd() const { return header_fd_.get(); }
  int report_fd() const { return report_fd_.get(); }
  int capture_fd(std::uint32_t worker) const { return captures_.at(worker).get(); }
  std::uint32_t capacity() const { return capacity_; }
  std::uint32_t workers() const { return static_cast<std::uint32_t>(captures_.size()); }

  /// Writes a plan, clears its slots and the texts and outputs of the last one.
  /// REQUIRES: tokens.size() <= capacity(), nothing running.
  void load_plan(std::span<const std::int32_t> tokens);

  /// A copy of a slot; the agent may be writing it.
  gordian_wire::Slot slot(std::uint32_t token) const;
  /// True if this copy says what the agent said. Asked of slots that no longer change.
  bool intact(const gordian_wire::Slot& slot, std::uint32_t token) const;
  /// A copy of a worker's state; nullopt when it is idle, in the middle of a change or damaged.
  std::optional<gordian_wire::WorkerState> worker(std::uint32_t index) const;

  struct Failure {
    std::string file;
    int line = 0;
    std::string message;
  };
  /// nullopt when there is none, or what is there is not what the agent wrote.
  std::optional<Failure> failure(std::uint32_t offset) const;
  std::string output(const gordian_wire::Slot& slot) const;
  std::uint64_t output_size(std::uint32_t worker) const;
  /// What the program printed before its first test.
  std::string early_output() const;

  /// What is loaded, as it was told before any test could write there: at keep_modules().
  std::vector<LoadedModule> modules(const std::string& executable) const;
  void keep_modules();
  Result<std::vector<Test>> tests() const;

 private:
  struct Mapping {
    UniqueFd fd;
    char* base = nullptr;
    std::size_t size = 0;
  };
  static Result<Mapping> map_file(const char* name, std::size_t size);
  WireMemory(Mapping header, Mapping report);
  void lay_out(std::uint32_t tokens, std::uint32_t workers);
  Status open_captures(std::uint32_t workers);
  const gordian_wire::Slot* slots() const;
  /// `size` bytes of the arena, or nullptr when they are not all inside it.
  const char* arena(std::uint64_t offset, std::uint64_t size) const;

  UniqueFd header_fd_, report_fd_;
  gordian_wire::Header* header_ = nullptr;
  gordian_wire::Report* report_ = nullptr;
  std::size_t header_size_ = 0, report_size_ = 0;  ///< of the files
  std::uint32_t capacity_ = 0;
  std::unique_ptr<gordian_wire::Report> at_start_;
  std::vector<LoadedModule> modules_;
  std::vector<UniqueFd> captures_;
};

}  // namespace gordian
