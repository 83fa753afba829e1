// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/framework_symbols.h"

#include <algorithm>

#include "base/check.h"
#include "frameworks/framework_traits.h"
#include "frameworks/frameworks.h"

namespace gordian {
namespace {

constexpr std::uint64_t kVtableHead = 16;  // the offset to the top, and the type information

/// "a::B" as the C++ ABI writes it in type information: "N1a1BE".
std::string mangled_class(std::string_view name) {
  const bool nested = name.find("::") != std::string_view::npos;
  std::string mangled = nested ? "N" : "";
  while (!name.empty()) {
    const std::size_t end = std::min(name.find("::"), name.size());
    mangled += std::to_string(end) + std::string(name.substr(0, end));
    name.remove_prefix(std::min(end + 2, name.size()));
  }
  return nested ? mangled + "E" : mangled;
}

using gordian_wire::Hooks;

enum Name : std::size_t { gcov_dump, profile_write, trace_test, common };
constexpr std::array<std::string_view, common> kCommon = {
    "__gcov_dump", "__llvm_profile_write_file", "gordian_trace_test"};

std::uint64_t address(const std::optional<Symbol>& symbol) {
  return symbol ? symbol->vaddr : 0;
}

void add_hook(const HookSymbol& row, const Symbol& symbol, Hooks& hooks) {
  const bool vtable = row.name.starts_with("_ZTV");
  if (vtable && symbol.size <= kVtableHead) return;
  if (row.entry >= 0 && hooks.entry[row.entry] == 0) {
    hooks.entry[row.entry] = symbol.vaddr + (vtable ? kVtableHead : 0);
  }
  if (row.number >= 0 && hooks.number[row.number] == 0) {
    const auto slots = static_cast<std::uint32_t>((symbol.size - kVtableHead) / 8);
    hooks.number[row.number] = row.value != 0 ? row.value : slots;
  }
}

std::uint64_t either(const std::optional<Symbol>& a, const std::optional<Symbol>& b) {
  return a ? a->vaddr : address(b);
}

void move_by(Hooks& hooks, std::uint64_t base) {
  auto move = [base](std::uint64_t& field) {
    if (field != 0) field += base;
  };
  for (std::uint64_t& entry : hooks.entry) move(entry);
  move(hooks.coverage_dump);
  move(hooks.trace_test);
}

using Access = FrameworkAccess (*)(std::string_view name);

FrameworkAccess access(Access FrameworkTraits::*trait, std::string_view name) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    if (traits->*trait == nullptr) continue;
    if (FrameworkAccess found = (traits->*trait)(name); !found.code.empty()) return found;
  }
  return {};
}

}  // namespace

std::span<const FrameworkTraits* const> all_frameworks() {
  static const auto all = [] {
    std::array<const FrameworkTraits*, kFrameworks.size()> traits{};
    for (std::size_t i = 0; i < traits.size(); ++i) traits[i] = &kFrameworks[i].traits();
    return traits;
  }();
  return all;
}

const FrameworkTraits* find_traits(Framework framework) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    if (traits->framework == framework) return traits;
  }
  return nullptr;
}

const FrameworkTraits& traits_of(Framework framework) {
  const FrameworkTraits* traits = find_traits(framework);
  GORDIAN_CHECK(traits != nullptr);
  return *traits;
}

std::string_view last_part(std::string_view name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

FrameworkAccess access_to_option(std::string_view name) {
  return access(&FrameworkTraits::option, name);
}

FrameworkAccess access_to_reset(std::string_view variable) {
  return access(&FrameworkTraits::reset, variable);
}

bool starts_with_any(std::string_view text, Words prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [text](std::string_view prefix) { return text.starts_with(prefix); });
}

std::span<const FrameworkSymbols* const> all_framework_symbols() {
  static const auto all = [] {
    std::array<const FrameworkSymbols*, kFrameworks.size()> symbols{};
    for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = &kFrameworks[i].symbols();
    return symbols;
  }();
  return all;
}

const FrameworkSymbols& symbols_of(Framework framework) {
  auto all = all_framework_symbols();
  auto found = std::find_if(all.begin(), all.end(), [framework](const FrameworkSymbols* symbols) {
    return symbols->framework == framework;
  });
  GORDIAN_CHECK(found != all.end());
  return **found;
}

std::string vtable_symbol(std::string_view class_name) {
  return "_ZTV" + mangled_class(class_name);
}

bool has_class_name(const ElfFile& file, std::string_view class_name) {
  return file.contains_bytes(mangled_class(class_name) + '\0');
}

bool are_complete(const Hooks& hooks, const FrameworkSymbols& symbols) {
  const bool all = std::all_of(symbols.hooks.begin(), symbols.hooks.end(), [&](const auto& row) {
    return row.optional || ((row.entry < 0 || hooks.entry[row.entry] != 0) &&
                            (row.number < 0 || hooks.number[row.number] != 0));
  });
  return all && (symbols.enough == nullptr || symbols.enough(hooks));
}

Hooks hook_offsets(const ElfFile& elf, const FrameworkSymbols& symbols) {
  // Looked up together: a symbol table is read once for all of them.
  std::vector<std::string_view> names(kCommon.begin(), kCommon.end());
  for (const HookSymbol& row : symbols.hooks) names.push_back(row.name);
  const auto found = elf.find(names);
  Hooks hooks{};
  for (std::size_t i = 0; i < symbols.hooks.size(); ++i) {
    if (const auto& symbol = found[kCommon.size() + i]) add_hook(symbols.hooks[i], *symbol, hooks);
  }
  if (are_complete(hooks, symbols)) hooks.framework = symbols.framework;
  hooks.coverage_dump = either(found[gcov_dump], found[profile_write]);
  hooks.trace_test = address(found[trace_test]);
  return hooks;
}

void HookAddresses::remember(const std::string& path, const Hooks& offsets) {
  if (offsets.framework == symbols_.framework) by_module_.insert_or_assign(path, offsets);
}

Hooks HookAddresses::search(pid_t pid, const LoadedModule& module) const {
  auto elf = ElfFile::open(module.path, ElfRole::library);
  if (!elf) return {};
  Hooks offsets = hook_offsets(*elf, symbols_);
  if (offsets.framework == symbols_.framework || symbols_.from_memory == nullptr) return offsets;
  if (symbols_.from_memory(pid, module, *elf, offsets)) offsets.framework = symbols_.framework;
  return offsets;
}

Result<Hooks> HookAddresses::find(pid_t pid, const std::vector<LoadedModule>& modules) {
  std::uint64_t coverage_dump = 0, trace_test = 0;  // of the program itself
  for (const LoadedModule& module : modules) {
    auto [it, fresh] = by_module_.try_emplace(module.path);
    if (fresh) it->second = search(pid, module);
    Hooks hooks = it->second;
    move_by(hooks, module.base);
    if (&module == &modules.front()) {
      coverage_dump = hooks.coverage_dump;
      trace_test = hooks.trace_test;
    }
    if (hooks.framework != symbols_.framework) continue;
    hooks.coverage_dump = counters_stay_ ? 0 : coverage_dump;
    hooks.trace_test = trace_test;
    return hooks;
  }
  return target_error(
      std::string(to_string(symbols_.framework)) +
          "'s hook points were not found in the running program",
      traits_of(symbols_.framework).has_adapter
          ? "a binary that is stripped and built with -fno-rtti cannot be hooked; keep its symbol "
            "table, or link the adapter (docs/frameworks.md)"
          : "keep its symbol table: a stripped binary cannot be hooked");
}

}  // namespace gordian
