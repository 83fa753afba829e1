// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is done with accepted patches: into the source, to a file, or nothing. Fixes of several
// binaries with one source build on each other, so that the last one holds them all.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "report/fix_report.h"

namespace gordian {

struct FixDelivery {
  bool apply = false, allow_dirty = false;
  std::string diff;  ///< file; "-": standard output; empty: none
};

bool is_last_of_its_source(const FixReport& report, const std::vector<FixReport>& all);

/// Notes in the reports what was done. An error leaves the source as it was.
Status deliver(std::vector<FixReport>& reports, const FixDelivery& delivery);

}  // namespace gordian
