// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/report_facts.h"

#include <algorithm>

namespace gordian {
namespace {

template <class T>
const T* of_dependence(const std::vector<T>& all, const Dependence& dependence) {
  for (const T& one : all) {
    if (one.dependence == dependence.id) return &one;
  }
  return nullptr;
}

}  // namespace

const Explanation* ReportedSuite::explanation(const Dependence& dependence) const {
  return of_dependence(explanations, dependence);
}

const Repair* ReportedSuite::repair(const Dependence& dependence) const {
  return of_dependence(repairs, dependence);
}

IdRuns runs_of(const std::vector<bool>& flags) {
  IdRuns runs;
  const auto end = flags.end();
  for (auto at = std::find(flags.begin(), end, true); at != end; at = std::find(at, end, true)) {
    const auto first = at;
    at = std::find(at, end, false);
    runs.push_back({static_cast<std::uint32_t>(first - flags.begin()),
                    static_cast<std::uint32_t>(at - first)});
  }
  return runs;
}

void set_flags(const IdRuns& runs, std::vector<bool>& flags) {
  for (const IdRun& run : runs) {
    std::fill_n(flags.begin() + static_cast<std::ptrdiff_t>(run.first), run.count, true);
  }
}

}  // namespace gordian
