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
    HookSymbol{
        "_ZN7doctest6detail20registerReporterImplEPKciPFPNS_9IReporterERKNS_14ContextOptionsEEb",
        wire::kRegisterReporter},
    HookSymbol{.name = "_ZN7doctest12assertStringENS_10assertType4EnumE",
               .entry = wire::kAssertString,
               .optional = true},
    HookSymbol{.name = "_ZTVN7doctest9IReporterE", .number = wire::kReporterSlots},
    HookSymbol{"_ZN7doctest6detail18getRegisteredTestsEv", wire::kRegisteredTests},
    // In releases before 2.4.6.
    HookSymbol{"_ZN7doctest12_GLOBAL__N_118getRegisteredTestsEv", wire::kRegisteredTests},
    HookSymbol{"_ZN7doctest6detail7regTestERKNS0_8TestCaseE", wire::kRegisterTest},
    HookSymbol{"_ZN7doctest7Context3runEv", wire::kContextRun},
};

/// The console prints its version from a text of its own; releases before 2.3.5 are not driven.
std::string version(const ElfFile& file) {
  constexpr std::array<std::string_view, 20> kReleases = {
      "2.3.5", "2.3.6", "2.3.7", "2.3.8", "2.4.0",  "2.4.1",  "2.4.2",  "2.4.3", "2.4.4", "2.4.5",
      "2.4.6", "2.4.7", "2.4.8", "2.4.9", "2.4.10", "2.4.11", "2.4.12", "2.5.0", "2.5.1", "2.5.2"};
  std::string only;
  for (std::string_view release : kReleases) {
    if (!file.contains_bytes('\0' + std::string(release) + '\0')) continue;
    if (!only.empty()) return "";  // the program has such texts of its own
    only = release;
  }
  return only;
}

}  // namespace

const FrameworkSymbols& doctest_symbols() {
  static const FrameworkSymbols kSymbols = {.framework = Framework::doctest,
                                            .symbol_prefix = "_ZN7doctest7Context",
                                            .class_name = "doctest::IReporter",
                                            .hooks = kHooks,
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
