// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_symbols.h"
#include "frameworks/frameworks.h"
#include "wire/hooks.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

enum Name : std::size_t { result_vtable, registry_vtable, shell_vtable, current, should_run };
constexpr std::array<std::string_view, 5> kNames = {
    "_ZTV10TestResult",
    "_ZTV12TestRegistry",
    "_ZTV10UtestShell",
    "_ZN12TestRegistry18getCurrentRegistryEv",
    "_ZNK10UtestShell9shouldRunEPK10TestFilterS2_",
};

bool from_symbols(std::span<const std::optional<Symbol>> found, wire::Hooks& hooks) {
  hooks.entry[wire::kResultVtable] = vptr_value(found[result_vtable]);
  hooks.entry[wire::kCppRegistryVtable] = vptr_value(found[registry_vtable]);
  hooks.entry[wire::kCurrentRegistry] = address(found[current]);
  hooks.entry[wire::kShouldRun] = address(found[should_run]);
  hooks.number[wire::kResultSlots] = vtable_slots(found[result_vtable]);
  hooks.number[wire::kCppRegistrySlots] = vtable_slots(found[registry_vtable]);
  hooks.number[wire::kShellSlots] = vtable_slots(found[shell_vtable]);
  return found[result_vtable] && found[registry_vtable] && found[current] && found[should_run];
}

/// Nothing in a program says it, but the one that is driven has functions that others lack.
std::string version(const ElfFile& file) {
  const bool shuffles = file.find("_ZN12TestRegistry12shuffleTestsEm").has_value();
  return shuffles ? "4.0" : "";
}

}  // namespace

const FrameworkSymbols& cpputest_symbols() {
  static const FrameworkSymbols kSymbols = {.framework = Framework::cpputest,
                                            .library = "libCppUTest",
                                            .class_name = "UtestShell",
                                            .names = kNames,
                                            .from_symbols = from_symbols,
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
