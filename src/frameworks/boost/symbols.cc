// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <array>

#include "frameworks/framework_symbols.h"
#include "frameworks/frameworks.h"
#include "wire/hooks.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

enum Name : std::size_t {
  results_vtable,
  log_vtable,
  formatter_vtable,
  get_unit,
  get_formatter,
  results_of,
  passed
};
constexpr std::array<std::string_view, 7> kNames = {
    "_ZTVN5boost9unit_test19results_collector_tE",
    "_ZTVN5boost9unit_test15unit_test_log_tE",
    "_ZTVN5boost9unit_test23unit_test_log_formatterE",
    "_ZN5boost9unit_test9framework3getEmNS0_14test_unit_typeE",
    "_ZN5boost9unit_test15unit_test_log_t13get_formatterENS0_13output_formatE",
    "_ZNK5boost9unit_test19results_collector_t7resultsEm",
    "_ZNK5boost9unit_test12test_results6passedEv",
};

bool from_symbols(std::span<const std::optional<Symbol>> found, wire::Hooks& hooks) {
  hooks.entry[wire::kResultsVtable] = vptr_value(found[results_vtable]);
  hooks.entry[wire::kLogVtable] = vptr_value(found[log_vtable]);
  hooks.entry[wire::kFormatterVtable] = vptr_value(found[formatter_vtable]);
  hooks.entry[wire::kGetUnit] = address(found[get_unit]);
  hooks.entry[wire::kGetFormatter] = address(found[get_formatter]);
  hooks.entry[wire::kResultsOf] = address(found[results_of]);
  hooks.entry[wire::kPassed] = address(found[passed]);
  hooks.number[wire::kObserverSlots] = vtable_slots(found[results_vtable]);
  hooks.number[wire::kFormatterSlots] = vtable_slots(found[formatter_vtable]);
  return std::all_of(found.begin(), found.end(), [](const auto& symbol) { return symbol; });
}

/// "1.74.0" of "libboost_unit_test_framework.so.1.74.0"; in programs there is no sign of it.
std::string version(const ElfFile& file) {
  const std::string name = file.path().filename();
  const std::size_t at = name.find(".so.");
  return at == std::string::npos ? std::string() : name.substr(at + 4);
}

}  // namespace

const FrameworkSymbols& boost_symbols() {
  static const FrameworkSymbols kSymbols = {.framework = Framework::boost,
                                            .library = "libboost_unit_test_framework",
                                            .symbol_prefix = "_ZN5boost9unit_test9framework",
                                            .class_name = "boost::unit_test::test_observer",
                                            .names = kNames,
                                            .from_symbols = from_symbols,
                                            .from_memory = nullptr,
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
