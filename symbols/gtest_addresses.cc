// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/gtest_addresses.h"

#include <array>

#include "symbols/elf_file.h"
#include "symbols/vtable_scan.h"

namespace gordian {
namespace {

using gordian_wire::Hooks;

constexpr std::string_view kRepeater = "N7testing8internal17TestEventRepeaterE";
constexpr std::array<std::string_view, 2> kSuiteTypes = {"N7testing9TestSuiteE",
                                                         "N7testing8TestCaseE"};

enum Name : std::size_t {
  repeater_vtable,
  suite_vtable,
  case_vtable,
  suite_clear,
  case_clear,
  result_failed,
  gcov_dump,
  profile_write,
  trace_test,
};
constexpr std::array<std::string_view, 9> kNames = {
    "_ZTVN7testing8internal17TestEventRepeaterE",
    "_ZTVN7testing9TestSuiteE",
    "_ZTVN7testing8TestCaseE",
    "_ZN7testing9TestSuite11ClearResultEv",
    "_ZN7testing8TestCase11ClearResultEv",
    "_ZNK7testing10TestResult6FailedEv",
    "__gcov_dump",
    "__llvm_profile_write_file",
    "gordian_trace_test",
};

/// What an object's vptr holds stands behind the offset to top and the typeinfo.
constexpr std::uint64_t kVtableHead = 16;

std::uint64_t address(const std::optional<Symbol>& symbol) {
  return symbol ? symbol->vaddr : 0;
}

std::uint64_t either(const std::optional<Symbol>& a, const std::optional<Symbol>& b) {
  return a ? a->vaddr : address(b);
}

bool complete(const Hooks& hooks) {
  return hooks.repeater_vtable != 0 && hooks.suite_vtable != 0;
}

/// A stripped module that holds the framework: its vtables are still in memory.
void from_memory(pid_t pid, const LoadedModule& module, Hooks& hooks) {
  auto mappings = read_mappings(pid);
  auto repeater = scan_for_vtable(pid, mappings, module.path, kRepeater);
  if (!repeater) return;
  hooks.repeater_vtable = repeater->first_function.value() - module.base;
  hooks.repeater_slots = repeater->functions;
  for (std::string_view type : kSuiteTypes) {
    if (auto suite = scan_for_vtable(pid, mappings, module.path, type)) {
      hooks.suite_vtable = suite->first_function.value() - module.base;
      return;
    }
  }
}

Hooks search(pid_t pid, const LoadedModule& module) {
  auto elf = ElfFile::open(module.path, ElfRole::library);
  if (!elf) return {};
  Hooks hooks = hook_offsets(*elf);
  if (!complete(hooks) && elf->contains_bytes(kRepeater)) from_memory(pid, module, hooks);
  return hooks;
}

Hooks moved_by(Hooks offsets, std::uint64_t base) {
  for (std::uint64_t* field :
       {&offsets.repeater_vtable, &offsets.suite_vtable, &offsets.clear_result,
        &offsets.result_failed, &offsets.coverage_dump, &offsets.trace_test}) {
    if (*field != 0) *field += base;
  }
  return offsets;
}

}  // namespace

Hooks hook_offsets(const ElfFile& elf) {
  auto found = elf.find(kNames);
  Hooks hooks{};
  if (found[repeater_vtable] && found[repeater_vtable]->size > kVtableHead) {
    hooks.repeater_vtable = found[repeater_vtable]->vaddr + kVtableHead;
    hooks.repeater_slots =
        static_cast<std::uint32_t>((found[repeater_vtable]->size - kVtableHead) / 8);
  }
  if (std::uint64_t table = either(found[suite_vtable], found[case_vtable])) {
    hooks.suite_vtable = table + kVtableHead;
  }
  hooks.clear_result = either(found[suite_clear], found[case_clear]);
  hooks.result_failed = address(found[result_failed]);
  hooks.coverage_dump = either(found[gcov_dump], found[profile_write]);
  hooks.trace_test = address(found[trace_test]);
  return hooks;
}

void GtestAddresses::remember(const std::string& path, const Hooks& offsets) {
  if (complete(offsets)) by_module_.insert_or_assign(path, offsets);
}

Result<Hooks> GtestAddresses::find(pid_t pid, const std::vector<LoadedModule>& modules) {
  std::uint64_t coverage_dump = 0, trace_test = 0;  // of the program itself
  for (const LoadedModule& module : modules) {
    auto [it, fresh] = by_module_.try_emplace(module.path);
    if (fresh) it->second = search(pid, module);
    Hooks hooks = moved_by(it->second, module.base);
    if (&module == &modules.front()) {
      coverage_dump = hooks.coverage_dump;
      trace_test = hooks.trace_test;
    }
    if (!complete(hooks)) continue;
    hooks.coverage_dump = coverage_dump;
    hooks.trace_test = trace_test;
    return hooks;
  }
  return target_error("GoogleTest's event dispatcher was not found in the running program",
                      "a binary that is stripped and built with -fno-rtti cannot be hooked; keep "
                      "its symbol table, or link the adapter (docs/adapter.md)");
}

}  // namespace gordian
