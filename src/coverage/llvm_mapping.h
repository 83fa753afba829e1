// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The map that Clang's -fcoverage-mapping puts into a program (sections __llvm_covmap and
// __llvm_covfun): for each function the regions of its source, and how often each ran in terms of
// the function's counters. Versions 6 and 7 of the format (Clang 13 to 19). Sections may be
// damaged: what cannot be read is counted, never a crash.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gordian {

/// How often something ran: never, as a counter says, or as an expression says.
struct LlvmCount {
  enum class Kind : std::uint8_t { zero, counter, expression } kind = Kind::zero;
  std::uint32_t index = 0;
};

struct LlvmExpression {
  bool add = false;  ///< else subtract
  LlvmCount left, right;
};

/// In the order that LLVM gives them.
enum class LlvmRegionKind : std::uint8_t { code = 0, expansion = 1, skipped = 2, gap = 3 };

struct LlvmPlace {
  std::uint32_t line = 0, column = 0;
  auto operator<=>(const LlvmPlace&) const = default;
};

struct LlvmRegion {
  LlvmRegionKind kind = LlvmRegionKind::code;
  LlvmCount count;
  std::uint32_t file = 0;  ///< of the function's own files
  LlvmPlace begin, end;
};

struct LlvmFunction {
  std::uint64_t name = 0, hash = 0;  ///< the first is the digest of its name
  std::vector<std::string> files;
  std::vector<LlvmExpression> expressions;
  std::vector<LlvmRegion> regions;  ///< without branches
  std::uint32_t main_file = 0;      ///< where it is defined: no macro leads there

  /// How often a region ran; what would be negative is zero.
  std::uint64_t value(LlvmCount count, const std::uint64_t* counters, std::size_t size) const;
  /// One more than the largest counter that is asked for.
  std::uint32_t counters_needed() const;
};

struct LlvmMapping {
  std::vector<LlvmFunction> functions;  ///< one for each name; those in use before dummies
  std::size_t damaged = 0;              ///< records that could not be read
  std::uint32_t unknown_version = 0;    ///< of the format, if some objects have one; 0: none
};

LlvmMapping parse_llvm_mapping(std::string_view covmap, std::string_view covfun);

/// As LLVM digests names.
std::uint64_t llvm_digest(std::string_view text);

/// Names by their digests, from the section __llvm_prf_names. Without the file that stands before
/// names of static functions.
std::vector<std::pair<std::uint64_t, std::string>> parse_llvm_names(std::string_view section);

}  // namespace gordian
