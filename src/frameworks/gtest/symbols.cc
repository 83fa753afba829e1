// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_symbols.h"
#include "frameworks/frameworks.h"
#include "frameworks/gtest/recognise.h"
#include "symbols/vtable_scan.h"
#include "wire/hooks.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

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
};
constexpr std::array<std::string_view, 6> kNames = {
    "_ZTVN7testing8internal17TestEventRepeaterE",
    "_ZTVN7testing9TestSuiteE",
    "_ZTVN7testing8TestCaseE",
    "_ZN7testing9TestSuite11ClearResultEv",
    "_ZN7testing8TestCase11ClearResultEv",
    "_ZNK7testing10TestResult6FailedEv",
};

bool complete(const wire::Hooks& hooks) {
  return hooks.entry[wire::kRepeaterVtable] != 0 && hooks.entry[wire::kSuiteVtable] != 0;
}

bool from_symbols(std::span<const std::optional<Symbol>> found, wire::Hooks& hooks) {
  const auto& suite = found[suite_vtable] ? found[suite_vtable] : found[case_vtable];
  hooks.entry[wire::kRepeaterVtable] = vptr_value(found[repeater_vtable]);
  hooks.number[wire::kRepeaterSlots] = vtable_slots(found[repeater_vtable]);
  hooks.entry[wire::kSuiteVtable] = vptr_value(suite);
  hooks.entry[wire::kClearResult] =
      address(found[suite_clear] ? found[suite_clear] : found[case_clear]);
  hooks.entry[wire::kResultFailed] = address(found[result_failed]);
  return complete(hooks);
}

/// A stripped module that holds the framework: its vtables are still in memory.
bool from_memory(pid_t pid, const LoadedModule& module, const ElfFile& elf, wire::Hooks& hooks) {
  if (!elf.contains_bytes(kRepeater)) return false;
  auto mappings = read_mappings(pid);
  auto repeater = scan_for_vtable(pid, mappings, module.path, kRepeater);
  if (!repeater) return false;
  hooks.entry[wire::kRepeaterVtable] = repeater->first_function.value() - module.base;
  hooks.number[wire::kRepeaterSlots] = repeater->functions;
  for (std::string_view type : kSuiteTypes) {
    if (auto suite = scan_for_vtable(pid, mappings, module.path, type)) {
      hooks.entry[wire::kSuiteVtable] = suite->first_function.value() - module.base;
      break;
    }
  }
  return complete(hooks);
}

std::string version(const ElfFile& file) {
  return gtest_version(file).text;
}

}  // namespace

const FrameworkSymbols& gtest_symbols() {
  static const FrameworkSymbols kSymbols = {.framework = Framework::gtest,
                                            .library = "libgtest",
                                            .symbol_prefix = "_ZN7testing8UnitTest3RunEv",
                                            .class_name = "testing::internal::TestEventRepeater",
                                            .names = kNames,
                                            .from_symbols = from_symbols,
                                            .from_memory = from_memory,
                                            .recognise = recognise_gtest,
                                            .main_function = "testing::UnitTest::Run",
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
