// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Finds the vtable of a class in a stripped program by what a compiler must leave in memory: the
// typeinfo name string, the typeinfo object that points to it, the vtable that points to that.
// Works on a running process, after the loader has relocated it.
#pragma once

#include <optional>
#include <string_view>

#include "symbols/process_memory.h"

namespace gordian {

struct Vtable {
  TargetAddr first_function;  ///< what an object's vptr holds
  unsigned functions = 0;     ///< entries that point into code, counted from the first
};

/// `mangled_type` without prefix: "N7testing9TestSuiteE". Searches the mappings of one module.
std::optional<Vtable> scan_for_vtable(pid_t pid, const std::vector<Mapping>& mappings,
                                      std::string_view module_path, std::string_view mangled_type);

/// How many entries from `first_function` on point into code; at most `limit`.
unsigned count_functions(pid_t pid, const std::vector<Mapping>& mappings, TargetAddr first_function,
                         unsigned limit);

}  // namespace gordian
