// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_symbols.h"
#include "frameworks/frameworks.h"
#include "wire/hooks.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

enum Name : std::size_t {
  register_reporter,
  assert_string,
  reporter_vtable,
  registered_tests,
  register_test,
  registered_tests_hidden,  // in releases before 2.4.6
  context_run,
};
constexpr std::array<std::string_view, 7> kNames = {
    "_ZN7doctest6detail20registerReporterImplEPKciPFPNS_9IReporterERKNS_14ContextOptionsEEb",
    "_ZN7doctest12assertStringENS_10assertType4EnumE",
    "_ZTVN7doctest9IReporterE",
    "_ZN7doctest6detail18getRegisteredTestsEv",
    "_ZN7doctest6detail7regTestERKNS0_8TestCaseE",
    "_ZN7doctest12_GLOBAL__N_118getRegisteredTestsEv",
    "_ZN7doctest7Context3runEv",
};

bool from_symbols(std::span<const std::optional<Symbol>> found, wire::Hooks& hooks) {
  hooks.entry[wire::kRegisterReporter] = address(found[register_reporter]);
  hooks.entry[wire::kAssertString] = address(found[assert_string]);
  hooks.entry[wire::kRegisteredTests] =
      address(found[registered_tests] ? found[registered_tests] : found[registered_tests_hidden]);
  hooks.entry[wire::kRegisterTest] = address(found[register_test]);
  hooks.entry[wire::kContextRun] = address(found[context_run]);
  hooks.number[wire::kReporterSlots] = vtable_slots(found[reporter_vtable]);
  return found[register_reporter] && found[reporter_vtable] && found[register_test] &&
         found[context_run] && hooks.entry[wire::kRegisteredTests] != 0;
}

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
                                            .names = kNames,
                                            .from_symbols = from_symbols,
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
