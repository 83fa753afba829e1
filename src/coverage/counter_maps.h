// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From counters in a program to functions whose counters mean lines: those of a --coverage build
// with their maps (.gcno), and those that Clang's own coverage keeps.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "coverage/counted_program.h"
#include "symbols/process_memory.h"

namespace gordian {

// The map that GCC and Clang write beside each object of a --coverage build (.gcno): for each
// function its blocks, the ways between them, and the lines of each block. Files may be damaged or
// strange: that is an error with a sentence, never a crash.

/// "B22*" as it stands in files and in memory.
using GcovVersion = std::uint32_t;
/// What Clang writes: the format of GCC 4.8.
inline constexpr GcovVersion kClangGcov = 0x3430382a;
/// GCC's major version, such as 12; 4 for what Clang writes; 0 when it is none.
int gcov_major(GcovVersion version);
/// Whether we know how these lie in files and in memory: GCC 12 and Clang.
bool is_known_gcov(GcovVersion version);

struct GcovArc {
  std::uint32_t from = 0, to = 0;
  bool on_tree = false;  ///< has no counter: follows from the others
};

struct GcovLine {
  std::uint32_t block = 0, file = 0;
  int line = 0;
};

struct GcovFunction {
  std::uint32_t ident = 0, line_checksum = 0, cfg_checksum = 0;
  std::string name;  ///< mangled
  std::uint32_t file = 0;
  int line = 0;
  bool artificial = false;  ///< made by the compiler, such as the one that initialises statics
  std::uint32_t blocks = 0;
  std::vector<GcovArc> arcs;  ///< those with a counter are in the order of the counters
  std::vector<GcovLine> lines;

  std::size_t counters() const;
};

struct GcovNotes {
  GcovVersion version = 0;
  std::uint32_t stamp = 0;         ///< as in the object that was compiled with it
  std::string directory;           ///< of the compiler; empty when it did not say
  std::vector<std::string> files;  ///< as the compiler saw them
  std::vector<GcovFunction> functions;
};

/// `name` is for errors.
Result<GcovNotes> parse_gcov_notes(std::string_view bytes, const std::string& name);
Result<GcovNotes> read_gcov_notes(const std::filesystem::path& file);

/// What a process has counted, as it writes it when it ends (.gcda).
struct GcovData {
  GcovVersion version = 0;
  std::uint32_t stamp = 0;
  struct Function {
    std::uint32_t ident = 0, cfg_checksum = 0;
    std::vector<std::uint64_t> counters;
  };
  std::vector<Function> functions;
};

Result<GcovData> parse_gcov_data(std::string_view bytes, const std::string& name);

/// How often each block of a function ran, from the counters of some of the ways between blocks:
/// what flows into a block flows out of it. The ways without a counter are a tree, so one block
/// after another has a single unknown way left; in which sequence is found out once.
///
/// Calls that may not come back have a way to the end of the function. That makes the answer right
/// also while a function runs: a call that has not returned counts as one that never will, and one
/// that began before the counters were set to zero as minus one.
class GcovFlow {
 public:
  /// nullopt: the map is none of a function (ways without a counter go in circles).
  static std::optional<GcovFlow> of(const GcovFunction& function);

  /// Whether each block ran. REQUIRES: as many counters as the function has.
  std::vector<bool> blocks_run(std::span<const std::uint64_t> counters) const;

 private:
  struct Way {
    std::uint32_t from = 0, to = 0;
  };
  struct Step {
    std::uint32_t way = 0, block = 0;  ///< the way follows from all others at this block
  };

  std::uint32_t blocks_ = 0;
  std::vector<Way> ways_;               ///< the last one leads from the end back to the beginning
  std::vector<std::uint32_t> counted_;  ///< ways with a counter, in the order of the counters
  std::vector<Step> steps_;
};

/// The records that a --coverage build keeps in memory of each object: its file of counters, and
/// where the counters of its functions are. They are found by their own marks, so that neither a
/// symbol table nor the runtime of the compiler is needed.
struct GcovObject {
  GcovVersion version = 0;
  std::uint32_t stamp = 0;
  std::string data_file;  ///< where it would write its counters: beside the .gcno
  struct Function {
    std::uint32_t ident = 0, cfg_checksum = 0;
    TargetAddr counters{0};
    std::uint32_t count = 0;
  };
  /// Those that are in the program. What the linker has thrown away in favour of another object's
  /// is not.
  std::vector<Function> functions;
};

/// All objects of `pid`, a process at rest.
std::vector<GcovObject> find_gcov_objects(pid_t pid);

/// Those whose record is in `bytes`, which lie at `base`; what they point to is asked of `memory`.
std::vector<GcovObject> gcov_objects_in(std::string_view bytes, std::uint64_t base,
                                        const MemoryImage& memory);

/// Reads the map of each object. One that is missing, damaged or of another build is a notice while
/// there are others; an error when there is no other.
Status read_gcov_maps(std::span<const GcovObject> objects, CounterMaps& maps);

/// The counters of a program that Clang compiled with -fprofile-instr-generate -fcoverage-mapping:
/// all is in sections of its files, and the files are known from the mappings of the process. False
/// when no file of `pid` has such counters. An error when there are some and no map fits.
Result<bool> read_llvm_maps(pid_t pid, CounterMaps& maps);

/// The counters of a file that a process has written as it ended (.profraw).
struct LlvmRawProfile {
  std::uint64_t records = 0;
  std::vector<std::uint64_t> counters;
};
/// nullopt: it is damaged, or of another version than 8 (Clang 14) to 10 (Clang 19).
std::optional<LlvmRawProfile> parse_llvm_profile(std::string_view bytes);

// The map that Clang's -fcoverage-mapping puts into a program (sections __llvm_covmap and
// __llvm_covfun): for each function the regions of its source, and how often each ran in terms of
// the function's counters. Versions 6 and 7 of the format (Clang 13 to 19). Sections may be
// damaged: what cannot be read is counted, never a crash.

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

/// A mangled name without the file that LLVM puts before names of static functions.
std::string without_file(std::string name);

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
