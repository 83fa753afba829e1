// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_symbols.h"
#include "frameworks/frameworks.h"
#include "wire/hooks.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;
using Found = std::span<const std::optional<Symbol>>;

enum Name : std::size_t {
  registry_vtable,
  all_tests,
  all_tests_sorted,
  run_context_vtable,
  test_spec,
  run_order,
  abort_after,
  // The rest is named differently in the two versions.
  run_test_2,
  run_test_3,
  filter_2,
  filter_3,
  fan_out_vtable_2,
  fan_out_vtable_3,
  fan_out_assertion_2,
  fan_out_assertion_3,
  fan_out_group_2,
  context_variable_2,
  context_variable_3,
  context_function,
  names_end,
};
constexpr std::array<std::string_view, names_end> kNames = {
    "_ZTVN5Catch12TestRegistryE",
    "_ZNK5Catch12TestRegistry11getAllTestsEv",
    "_ZNK5Catch12TestRegistry17getAllTestsSortedERKNS_7IConfigE",
    "_ZTVN5Catch10RunContextE",
    "_ZNK5Catch6Config8testSpecEv",
    "_ZNK5Catch6Config8runOrderEv",
    "_ZNK5Catch6Config10abortAfterEv",
    "_ZN5Catch10RunContext7runTestERKNS_8TestCaseE",
    "_ZN5Catch10RunContext7runTestERKNS_14TestCaseHandleE",
    "_ZN5Catch11filterTestsERKSt6vectorINS_8TestCaseESaIS1_EERKNS_8TestSpecERKNS_7IConfigE",
    "_ZN5Catch11filterTestsERKSt6vectorINS_14TestCaseHandleESaIS1_EERKNS_8TestSpecERKNS_7IConfigE",
    "_ZTVN5Catch17ListeningReporterE",
    "_ZTVN5Catch13MultiReporterE",
    "_ZN5Catch17ListeningReporter14assertionEndedERKNS_14AssertionStatsE",
    "_ZN5Catch13MultiReporter14assertionEndedERKNS_14AssertionStatsE",
    "_ZN5Catch17ListeningReporter17testGroupStartingERKNS_9GroupInfoE",
    "_ZN5Catch15IMutableContext14currentContextE",
    "_ZN5Catch7Context14currentContextE",
    "_ZN5Catch24getCurrentMutableContextEv",
};

const std::optional<Symbol>& either(Found found, Name a, Name b) {
  return found[a] ? found[a] : found[b];
}

/// What the agent cannot do without.
bool complete(const wire::Hooks& hooks) {
  using enum wire::Catch2Entry;
  for (auto needed :
       {kRegistryVtable, kAllTests, kAllTestsSorted, kRunTest, kRunContextVtable, kFanOutVtable,
        kFanOutAssertion, kFilterTests, kConfigTestSpec, kConfigRunOrder, kConfigAbortAfter}) {
    if (hooks.entry[needed] == 0) return false;
  }
  return hooks.entry[kContextFunction] != 0 || hooks.entry[kContextVariable] != 0;
}

bool from_symbols(Found found, wire::Hooks& hooks) {
  const auto& fan_out = either(found, fan_out_vtable_2, fan_out_vtable_3);
  hooks.number[wire::kCatch2Major] = found[run_test_3] ? 3 : 2;
  hooks.number[wire::kRegistrySlots] = vtable_slots(found[registry_vtable]);
  hooks.number[wire::kFanOutSlots] = vtable_slots(fan_out);
  hooks.entry[wire::kRegistryVtable] = vptr_value(found[registry_vtable]);
  hooks.entry[wire::kAllTests] = address(found[all_tests]);
  hooks.entry[wire::kAllTestsSorted] = address(found[all_tests_sorted]);
  hooks.entry[wire::kRunTest] = address(either(found, run_test_3, run_test_2));
  hooks.entry[wire::kRunContextVtable] = vptr_value(found[run_context_vtable]);
  hooks.entry[wire::kContextFunction] = address(found[context_function]);
  hooks.entry[wire::kContextVariable] =
      address(either(found, context_variable_3, context_variable_2));
  hooks.entry[wire::kFanOutVtable] = vptr_value(fan_out);
  hooks.entry[wire::kFanOutAssertion] =
      address(either(found, fan_out_assertion_2, fan_out_assertion_3));
  hooks.entry[wire::kFanOutGroup] = address(found[fan_out_group_2]);
  hooks.entry[wire::kFilterTests] = address(either(found, filter_3, filter_2));
  hooks.entry[wire::kConfigTestSpec] = address(found[test_spec]);
  hooks.entry[wire::kConfigRunOrder] = address(found[run_order]);
  hooks.entry[wire::kConfigAbortAfter] = address(found[abort_after]);
  return complete(hooks);
}

/// The library's number is in no constant; these texts and functions came with those releases.
std::string version(const ElfFile& file) {
  if (file.mentions_symbol(kNames[run_test_3])) {
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
                                            .names = kNames,
                                            .from_symbols = from_symbols,
                                            .from_memory = nullptr,
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
