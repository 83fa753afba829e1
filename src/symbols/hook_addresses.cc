// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/hook_addresses.h"

#include <array>

#include "frameworks/framework_traits.h"

namespace gordian {
namespace {

using gordian_wire::Hooks;

enum Name : std::size_t { gcov_dump, profile_write, trace_test, common };
constexpr std::array<std::string_view, common> kCommon = {
    "__gcov_dump", "__llvm_profile_write_file", "gordian_trace_test"};

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

}  // namespace

Hooks hook_offsets(const ElfFile& elf, const FrameworkSymbols& symbols) {
  // Looked up together: a symbol table is read once for all of them.
  std::vector<std::string_view> names(kCommon.begin(), kCommon.end());
  names.insert(names.end(), symbols.names.begin(), symbols.names.end());
  const auto found = elf.find(names);
  Hooks hooks{};
  if (symbols.from_symbols(std::span(found).subspan(kCommon.size()), hooks))
    hooks.framework = symbols.framework;
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
