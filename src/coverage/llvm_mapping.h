// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The map that Clang's -fcoverage-mapping puts into a program (sections __llvm_covmap and
// __llvm_covfun): for each function the regions of its source, and how often each ran in terms of
// the function's counters. Versions 6 and 7 of the format (Clang 13 to 19). Sections may be
// damaged: what cannot be read is counted, never a crash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// What was made small with zlib or gzip. nullopt: it is damaged, cut off, or longer than `most`.
std::optional<std::string> inflated(std::string_view bytes,
                                    std::size_t most = std::size_t{1} << 30);

/// A region of some function, in one file. `id` is the caller's.
struct FileRegion {
  LlvmRegionKind kind = LlvmRegionKind::code;
  LlvmPlace begin, end;
  std::uint32_t id = 0;
};

struct LineRegions {
  std::uint32_t line = 0;
  std::vector<std::uint32_t> ids;  ///< run if any of these ran
};

/// Which regions of a source file decide whether a line counts as run, by the rules of llvm-cov: a
/// line is run when the innermost region at its beginning is, or any region that begins on it. The
/// answer does not depend on counts, so it is found once. The lines with code, in order. `regions`:
/// all of one file, of all functions.
std::vector<LineRegions> lines_of_regions(std::vector<FileRegion> regions);

}  // namespace gordian
