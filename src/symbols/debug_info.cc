// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/debug_info.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

#include "symbols/dwarf_die.h"
#include "symbols/dwarf_file.h"
#include "symbols/type_reader.h"
#include "symbols/variable_index.h"

namespace gordian {
namespace {

/// Objects overlap only when debug information is odd: then a few are looked at.
constexpr int kOverlapsTried = 8;

std::tuple<bool, std::uint64_t> storage_of(const Variable& v) {
  return {v.thread_local_storage, v.address};
}

constexpr const char* kDebugRoot = "/usr/lib/debug";

Result<OpenElf> with_debug_info(const std::filesystem::path& module) {
  auto opened = OpenElf::open(module);
  if (!opened || opened->has_debug_info()) return opened;
  auto apart = find_debug_file(*opened, kDebugRoot);
  return apart ? std::move(apart) : std::move(opened);
}

}  // namespace

std::optional<std::filesystem::path> default_cache_dir() {
  // Relative paths in this variable are to be ignored, says the XDG specification.
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::filesystem::path(cache) / "gordian";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return std::nullopt;
  return std::filesystem::path(home) / ".cache" / "gordian";
}

struct DebugInfo::Impl {
  VariableIndex index;
  bool has_types = false;
  bool from_cache = false;
  std::optional<OpenElf> debug;  ///< until libdw is needed, which reads all of it
  std::optional<DwarfFile> dwarf_file;
  ScopeNames names;
  std::optional<TypeReader> reader;

  /// Null when there is none, or it cannot be read.
  DwarfFile* dwarf() {
    if (debug) {
      auto opened = DwarfFile::open(std::move(*debug));
      debug.reset();
      if (opened.ok()) {
        dwarf_file.emplace(std::move(*opened));
      } else {
        has_types = false;
        index.notes.push_back(opened.error().message);
      }
    }
    return dwarf_file ? &*dwarf_file : nullptr;
  }

  TypeReader& types() {
    if (!reader) {
      reader.emplace(names, [this](const std::string& name) { return find_type(name); });
    }
    return *reader;
  }

  std::optional<Dwarf_Die> find_type(const std::string& name) {
    const auto id = index.type_id(name_hash(name));
    const auto die = id && dwarf() != nullptr ? dwarf()->entry(*id) : std::nullopt;
    // A hash may lie.
    if (!die || names.qualified_name(*die) != name) return std::nullopt;
    return die;
  }

  void build(const OpenElf& module) {
    DwarfFile* file = dwarf();
    const std::vector<std::string> notes = index.notes;
    index = build_variable_index(module, file == nullptr ? module : file->file(), file, names);
    index.notes.insert(index.notes.begin(), notes.begin(), notes.end());
  }
};

DebugInfo::DebugInfo(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DebugInfo::DebugInfo(DebugInfo&&) noexcept = default;
DebugInfo& DebugInfo::operator=(DebugInfo&&) noexcept = default;
DebugInfo::~DebugInfo() = default;

Result<DebugInfo> DebugInfo::open(const std::filesystem::path& path,
                                  const DebugInfoOptions& options) {
  auto module = OpenElf::open(path);
  if (!module.ok()) return module.error();
  auto debug =
      module->has_debug_info() ? OpenElf::open(path) : find_debug_file(*module, options.debug_root);
  auto impl = std::make_unique<Impl>();
  impl->has_types = debug.ok();
  const std::string key = index_key(*module, debug.ok() ? *debug : *module);
  if (debug.ok()) impl->debug.emplace(std::move(*debug));
  auto kept = options.cache_dir ? load_index(*options.cache_dir, key) : std::nullopt;
  impl->from_cache = kept.has_value();
  if (kept) {
    impl->index = std::move(*kept);
  } else {
    impl->build(*module);
    const bool complete = impl->index.notes.empty();
    if (options.cache_dir && complete) save_index(*options.cache_dir, key, impl->index);
  }
  return DebugInfo(std::move(impl));
}

bool DebugInfo::has_types() const {
  return impl_->has_types;
}

bool DebugInfo::from_cache() const {
  return impl_->from_cache;
}

const std::vector<std::string>& DebugInfo::notes() const {
  return impl_->index.notes;
}

const std::vector<Variable>& DebugInfo::variables() const {
  return impl_->index.variables;
}

const Variable* DebugInfo::variable_at(std::uint64_t address) const {
  // Thread-local ones stand behind all others.
  const auto wanted = std::tuple(false, address);
  auto it = std::upper_bound(variables().begin(), variables().end(), wanted,
                             [](const auto& at, const Variable& v) { return at < storage_of(v); });
  for (int tried = 0; it != variables().begin() && tried < kOverlapsTried; ++tried) {
    --it;
    if (address - it->address < std::max<std::uint64_t>(it->size, 1)) return &*it;
  }
  return nullptr;
}

const Variable* DebugInfo::variable_named(std::string_view name) const {
  const auto it = std::find_if(variables().begin(), variables().end(),
                               [name](const Variable& v) { return v.name == name; });
  return it == variables().end() ? nullptr : &*it;
}

const Type* DebugInfo::type(std::uint64_t type_id) const {
  DwarfFile* dwarf = type_id == 0 ? nullptr : impl_->dwarf();
  const auto die = dwarf == nullptr ? std::nullopt : dwarf->entry(type_id);
  return die ? impl_->types().read(*die) : nullptr;
}

const Type* DebugInfo::type_named(std::string_view name) const {
  const auto die = impl_->find_type(std::string(name));
  return die ? impl_->types().read(*die) : nullptr;
}

std::optional<std::uint64_t> DebugInfo::guard_of(const Variable& variable) const {
  const auto& guards = impl_->index.guards;
  const auto it =
      std::lower_bound(guards.begin(), guards.end(), storage_of(variable),
                       [](const auto& guard, const auto& wanted) {
                         return std::tuple(guard.thread_local_storage, guard.variable) < wanted;
                       });
  const bool found = it != guards.end() && it->variable == variable.address &&
                     it->thread_local_storage == variable.thread_local_storage;
  return found ? std::optional(it->guard) : std::nullopt;
}

Result<std::vector<CompiledSource>> compiled_sources(const std::filesystem::path& module) {
  auto opened = with_debug_info(module);
  if (!opened) return opened.error();
  std::vector<CompiledSource> sources;
  if (!opened->has_debug_info()) return sources;
  auto dwarf = DwarfFile::open(std::move(*opened));
  if (!dwarf) return dwarf.error();
  std::set<std::string> seen;
  dwarf->each_unit([&](const DwarfFile::Unit& unit) {
    const std::filesystem::path name = die_name(unit.die);
    const std::filesystem::path directory = string_of(unit.die, DW_AT_comp_dir);
    if (name.empty() || name.native().front() == '<') return;  // made by the compiler itself
    CompiledSource source{(directory / name).lexically_normal(), directory.lexically_normal()};
    if (seen.insert(source.file).second) sources.push_back(std::move(source));
  });
  return sources;
}

}  // namespace gordian
