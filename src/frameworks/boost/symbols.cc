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
    HookSymbol{"_ZTVN5boost9unit_test19results_collector_tE", wire::kResultsVtable,
               wire::kObserverSlots},
    HookSymbol{"_ZTVN5boost9unit_test15unit_test_log_tE", wire::kLogVtable},
    HookSymbol{"_ZTVN5boost9unit_test23unit_test_log_formatterE", wire::kFormatterVtable,
               wire::kFormatterSlots},
    HookSymbol{"_ZN5boost9unit_test9framework3getEmNS0_14test_unit_typeE", wire::kGetUnit},
    HookSymbol{"_ZN5boost9unit_test15unit_test_log_t13get_formatterENS0_13output_formatE",
               wire::kGetFormatter},
    HookSymbol{"_ZNK5boost9unit_test19results_collector_t7resultsEm", wire::kResultsOf},
    HookSymbol{"_ZNK5boost9unit_test12test_results6passedEv", wire::kPassed},
};

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
                                            .hooks = kHooks,
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
