// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Reads the file of one traced process (wire/trace_file.h), also while it is still being written:
// at each moment at which the process is held, the blocks of the tests so far are complete. The
// file is not trusted: every number is checked before it is used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "wire/trace_file.h"

namespace gordian {

/// What one test did.
struct TestTrace {
  std::int32_t test = 0;
  std::uint32_t position = 0;
  bool lost = false;  ///< there was more than the runtime had room for
  std::vector<gordian_wire::TraceRead> reads;
  std::vector<gordian_wire::TraceWrite> writes;
  struct Variable : gordian_wire::TraceVariable {
    std::string name;
  };
  std::vector<Variable> variables;
};

class TraceReader {
 public:
  /// An error says what the file is instead: none of ours, of another version of Gordian, or of
  /// another build of the program. `build_id`: of the program, in hexadecimal; empty: it has none.
  static Result<TraceReader> open(const std::filesystem::path& path, const std::string& build_id);

  /// The next test that is complete; nullopt: there is none (yet). A file that breaks off in the
  /// middle of a test, or that cannot be true, is an error.
  Result<std::optional<TestTrace>> next();
  /// The process came to the end of its tests.
  bool ended() const { return ended_; }
  /// How many sources that were compiled to be traced the process had loaded at the end of the last
  /// test that was read, or else at its start.
  std::uint32_t modules() const { return modules_; }

  /// The lower halves of return addresses from a node to the root, innermost first.
  std::vector<std::uint32_t> calls(std::uint32_t node) const;

 private:
  TraceReader(std::filesystem::path path, UniqueFd fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}

  Status check_header(const std::string& build_id);
  Result<std::string> bytes(std::uint64_t size);
  Result<TestTrace> take_test(const gordian_wire::TraceBlock& block);
  Status take_variables(const gordian_wire::TraceBlock& block, std::string_view bytes,
                        TestTrace& test) const;
  Error damaged(const std::string& how) const;

  std::filesystem::path path_;
  UniqueFd fd_;
  std::uint64_t at_ = 0;
  std::uint32_t tests_ = 0;
  bool ended_ = false;
  std::uint32_t modules_ = 0;
  std::vector<gordian_wire::TraceNode> nodes_ = std::vector<gordian_wire::TraceNode>(2);
};

}  // namespace gordian
