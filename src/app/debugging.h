// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// `gordian replay D3 --debugger gdb --at read`: the witness of a dependence in a debugger, stopped
// at the moment that matters.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/native/executor.h"
#include "store/dependence_store.h"

namespace gordian {

struct DebugOptions {
  std::string debugger;           ///< "gdb"; empty: none
  std::string at;                 ///< "write", "read", "failure"; empty: the closest known
  std::vector<std::string> args;  ///< more arguments for the debugger
};

/// Blocks until the debugger ends, and returns its exit code. `db`: where explanations are.
Result<int> debug_dependence(const NamedDependence& stored, const DebugOptions& options,
                             const ExecutorOptions& engine, const std::string& db);

}  // namespace gordian
