// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is done with accepted patches: into the source, to a file, or nothing. Fixes of several
// binaries with one source build on each other, so that the last one holds them all.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/repair.h"
#include "model/report_facts.h"

namespace gordian {

/// True if every file is still what the patch was made for, and no new one is there already.
bool source_is_untouched(const ChangedFiles& files);

struct ApplyOptions {
  bool allow_dirty = false;  ///< also into files with changes that git has not committed
};

/// Writes an accepted patch into the user's source: all files or none, and none that is not what
/// the patch was made for. An error leaves every file as it was. Each file is written beside itself
/// and renamed, with its mode and through symbolic links; a link that leads out of the project is
/// an error.
Status apply_fix(const FixFacts& fix, const ApplyOptions& options);

struct FixDelivery {
  bool apply = false, allow_dirty = false;
  std::string diff;  ///< file; "-": standard output; empty: none
};

bool is_last_of_its_source(const FixReport& report, const std::vector<FixReport>& all);

/// Notes in the reports what was done. An error leaves the source as it was.
Status deliver(std::vector<FixReport>& reports, const FixDelivery& delivery);

}  // namespace gordian
