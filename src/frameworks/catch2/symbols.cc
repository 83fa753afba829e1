// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_symbols.h"
#include "frameworks/frameworks.h"
#include "wire/hooks.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

constexpr std::string_view kRunTest3 = "_ZN5Catch10RunContext7runTestERKNS_14TestCaseHandleE";

/// What is named differently in the two versions has two rows.
constexpr std::array kHooks = {
    HookSymbol{"_ZTVN5Catch12TestRegistryE", wire::kRegistryVtable, wire::kRegistrySlots},
    HookSymbol{"_ZNK5Catch12TestRegistry11getAllTestsEv", wire::kAllTests},
    HookSymbol{"_ZNK5Catch12TestRegistry17getAllTestsSortedERKNS_7IConfigE", wire::kAllTestsSorted},
    HookSymbol{"_ZTVN5Catch10RunContextE", wire::kRunContextVtable},
    HookSymbol{"_ZNK5Catch6Config8testSpecEv", wire::kConfigTestSpec},
    HookSymbol{"_ZNK5Catch6Config8runOrderEv", wire::kConfigRunOrder},
    HookSymbol{"_ZNK5Catch6Config10abortAfterEv", wire::kConfigAbortAfter},
    HookSymbol{kRunTest3, wire::kRunTest, wire::kCatch2Major, 3},
    HookSymbol{"_ZN5Catch10RunContext7runTestERKNS_8TestCaseE", wire::kRunTest, wire::kCatch2Major,
               2},
    HookSymbol{"_ZN5Catch11filterTestsERKSt6vectorINS_14TestCaseHandleESaIS1_EERKNS_8TestSpecERKNS_"
               "7IConfigE",
               wire::kFilterTests},
    HookSymbol{
        "_ZN5Catch11filterTestsERKSt6vectorINS_8TestCaseESaIS1_EERKNS_8TestSpecERKNS_7IConfigE",
        wire::kFilterTests},
    HookSymbol{"_ZTVN5Catch17ListeningReporterE", wire::kFanOutVtable, wire::kFanOutSlots},
    HookSymbol{"_ZTVN5Catch13MultiReporterE", wire::kFanOutVtable, wire::kFanOutSlots},
    HookSymbol{"_ZN5Catch17ListeningReporter14assertionEndedERKNS_14AssertionStatsE",
               wire::kFanOutAssertion},
    HookSymbol{"_ZN5Catch13MultiReporter14assertionEndedERKNS_14AssertionStatsE",
               wire::kFanOutAssertion},
    HookSymbol{.name = "_ZN5Catch17ListeningReporter17testGroupStartingERKNS_9GroupInfoE",
               .entry = wire::kFanOutGroup,
               .optional = true},
    HookSymbol{.name = "_ZN5Catch7Context14currentContextE",
               .entry = wire::kContextVariable,
               .optional = true},
    HookSymbol{.name = "_ZN5Catch15IMutableContext14currentContextE",
               .entry = wire::kContextVariable,
               .optional = true},
    HookSymbol{.name = "_ZN5Catch24getCurrentMutableContextEv",
               .entry = wire::kContextFunction,
               .optional = true},
};

bool has_context(const wire::Hooks& hooks) {
  return hooks.entry[wire::kContextFunction] != 0 || hooks.entry[wire::kContextVariable] != 0;
}

/// The library's number is in no constant; these texts and functions came with those releases.
std::string version(const ElfFile& file) {
  if (file.mentions_symbol(kRunTest3)) {
    const bool prepares = file.mentions_symbol("_ZN5Catch12ITestInvoker15prepareTestCase");
    return prepares ? "3.7 or newer" : "3.0-3.6";
  }
  return file.contains_bytes("min-duration") ? "2.13" : "2.12 or older";
}

}  // namespace

const FrameworkSymbols& catch2_symbols() {
  static const FrameworkSymbols kSymbols = {.framework = Framework::catch2,
                                            .library = "libCatch2",
                                            .symbol_prefix = "_ZN5Catch10RunContext7runTest",
                                            .class_name = "Catch::ITestCaseRegistry",
                                            .hooks = kHooks,
                                            .enough = has_context,
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
