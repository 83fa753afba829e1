// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The table of runtimes. A new one is one file here, one row below, and its traits.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/runtime.h"
#include "runtime_table/rows.h"

namespace gordian {
namespace {

/// From the one that takes whatever is left to the most particular.
std::vector<const Runtime*>& table() {
  static std::vector<const Runtime*> all = {&native_runtime(), &process_runtime()};
  return all;
}

}  // namespace

std::span<const Runtime* const> runtimes() {
  return table();
}

AddedRuntime::AddedRuntime(const Runtime& runtime) {
  table().push_back(&runtime);
  know(runtime.traits());
}

AddedRuntime::~AddedRuntime() {
  forget(table().back()->traits());
  table().pop_back();
}

const Runtime& runtime_of(const Target& target) {
  for (auto at = table().rbegin(); at != table().rend(); ++at) {
    const bool named = target.runtime == &(*at)->traits();
    if (named || (target.runtime == nullptr && (*at)->recognises(target))) return **at;
  }
  return native_runtime();
}

const Runtime* runtime_at_level(const std::string& level) {
  const auto at = std::find_if(table().begin(), table().end(), [&level](const Runtime* runtime) {
    return runtime->traits().level == level;
  });
  return at == table().end() ? nullptr : *at;
}

std::string Runtime::libraries(const Target&) const {
  return {};
}

Result<std::vector<DoctorFinding>> Runtime::examine(const Target&) const {
  return std::vector<DoctorFinding>();
}

Result<CollectedCoverage> Runtime::cover(const Target&, const CoverageOptions&) const {
  return target_error(
      fmt::format("what the tests of this {} cover cannot be told", traits().thing));
}

Result<std::unique_ptr<StateProber>> Runtime::prober(const Target&, const EngineOptions&) const {
  return target_error(
      "what carries a dependence cannot be told here: the state of its tests is "
      "not seen");
}

Result<std::unique_ptr<DebugSession>> Runtime::debug(const Target&, const EngineOptions&,
                                                     const std::vector<std::string>&) const {
  const Refusal& refusal = traits().no_debugger;
  return usage_error(std::string(refusal.why), std::string(refusal.instead));
}

std::vector<DoctorFinding> Runtime::examine_machine() const {
  return {};
}

Result<std::vector<CtestEntry>> Runtime::ctest_entries(const Target&) const {
  return std::vector<CtestEntry>();
}

}  // namespace gordian
