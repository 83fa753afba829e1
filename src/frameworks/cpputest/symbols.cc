// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_symbols.h"
#include "frameworks/frameworks.h"
#include "wire/hooks.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

constexpr std::array kHooks = {
    HookSymbol{"_ZTV10TestResult", wire::kResultVtable, wire::kResultSlots},
    HookSymbol{"_ZTV12TestRegistry", wire::kCppRegistryVtable, wire::kCppRegistrySlots},
    HookSymbol{.name = "_ZTV10UtestShell", .number = wire::kShellSlots, .optional = true},
    HookSymbol{"_ZN12TestRegistry18getCurrentRegistryEv", wire::kCurrentRegistry},
    HookSymbol{"_ZNK10UtestShell9shouldRunEPK10TestFilterS2_", wire::kShouldRun},
};

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
                                            .hooks = kHooks,
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
