// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The variables and types of one module (a program or a shared library), read from its debug
// information (DWARF 2 to 5; in the file, beside it, under /usr/lib/debug, or split into .dwo) and,
// where that is silent, from its symbols. Nothing is fetched from a server. The list of variables
// is kept in a cache, because making it looks at all of the debug information; types are read
// when they are asked for. Files are hostile: damage means fewer answers. Everything handed out
// lives as long as this object, moved or not. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "symbols/types.h"

namespace gordian {

struct DebugInfoOptions {
  /// Where lists of variables are kept between runs; nullopt = nowhere. A cache that cannot be read
  /// or written is done without.
  std::optional<std::filesystem::path> cache_dir;
  std::filesystem::path debug_root = "/usr/lib/debug";
};

/// $XDG_CACHE_HOME/gordian or ~/.cache/gordian; nullopt when neither is known.
std::optional<std::filesystem::path> default_cache_dir();

class DebugInfo {
 public:
  /// An Error{target} for what is no readable ELF module. A module without debug information is
  /// no error: see has_types().
  static Result<DebugInfo> open(const std::filesystem::path& module,
                                const DebugInfoOptions& options = {});
  DebugInfo(DebugInfo&&) noexcept;
  DebugInfo& operator=(DebugInfo&&) noexcept;
  ~DebugInfo();

  /// Was there debug information at all? Without, variables have names and sizes only.
  bool has_types() const;
  /// The list came from the cache.
  bool from_cache() const;
  /// What is missing from the answers, each a sentence: a .dwo file that is gone, ...
  const std::vector<std::string>& notes() const;

  /// By address; thread-local ones, by their offsets, after all others.
  const std::vector<Variable>& variables() const;
  /// The variable whose bytes these are. Addresses are as linked.
  const Variable* variable_at(std::uint64_t address) const;
  /// The first variable of this name.
  const Variable* variable_named(std::string_view name) const;

  /// Of Variable::type_id; null for 0, void and damage.
  const Type* type(std::uint64_t type_id) const;
  /// The class, union or enumeration of this qualified name, as Type::name gives it. Not those of
  /// anonymous namespaces and functions: their names are not unique.
  const Type* type_named(std::string_view name) const;

  /// The flag (8 bytes, the first is set when it is initialised) that guards a local static, or an
  /// inline or template variable. A thread-local variable's guard is thread-local too.
  std::optional<std::uint64_t> guard_of(const Variable& variable) const;

 private:
  struct Impl;
  explicit DebugInfo(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The source files that a module was compiled from, by its debug information: one for each unit,
/// with the directory in which its compiler was started. Headers are not among them.
struct CompiledSource {
  std::string file;       ///< absolute and without "..", unless the compiler was told less
  std::string directory;  ///< empty when it is not told
};

/// In the order of the file, each once. Empty without debug information; an error for what is no
/// ELF file. Nothing says that the files are still there.
Result<std::vector<CompiledSource>> compiled_sources(const std::filesystem::path& module);

}  // namespace gordian
