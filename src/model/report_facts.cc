// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/report_facts.h"

#include <algorithm>

namespace gordian {
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
