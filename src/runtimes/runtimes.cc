// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The table of runtimes. A new one is one file here, one row below, and its traits.
#include <algorithm>

#include "runtime/runtime.h"
#include "runtimes/native_runtime.h"
#include "runtimes/process_runtime.h"

namespace gordian {
namespace {

/// From the most particular to the one that takes whatever is left.
std::vector<const Runtime*>& table() {
  static std::vector<const Runtime*> all = {&process_runtime(), &native_runtime()};
  return all;
}

}  // namespace

std::span<const Runtime* const> runtimes() {
  return table();
}

AddedRuntime::AddedRuntime(const Runtime& runtime) {
  table().insert(table().begin(), &runtime);
}

AddedRuntime::~AddedRuntime() {
  table().erase(table().begin());
}

const Runtime& runtime_of(const Target& target) {
  for (const Runtime* runtime : table()) {
    const bool named = target.runtime == &runtime->traits();
    if (named || (target.runtime == nullptr && runtime->recognises(target))) return *runtime;
  }
  return native_runtime();
}

const Runtime* runtime_at_level(const std::string& level) {
  const auto at = std::find_if(table().begin(), table().end(), [&level](const Runtime* runtime) {
    return runtime->traits().level == level;
  });
  return at == table().end() ? nullptr : *at;
}

Result<std::vector<Explanation>> Runtime::explain(const Target&, const std::vector<Dependence>&,
                                                  const EngineOptions&, const ExplainOptions&,
                                                  ExplainListener&) const {
  return target_error("what carries a dependence cannot be told here: the state of its tests is "
                      "not seen");
}

}  // namespace gordian
