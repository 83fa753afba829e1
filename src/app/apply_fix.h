// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Writing accepted patches into the user's source: all files or none, and none that is not what the
// patch was made for.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/repair.h"

namespace gordian {

/// True if every file is still what the patch was made for, and no new one is there already.
bool source_is_untouched(const std::vector<RepairedFile>& files);

struct ApplyOptions {
  bool allow_dirty = false;  ///< also into files with changes that git has not committed
};

/// An error leaves every file as it was. Each file is written beside itself and renamed, with its
/// mode and through symbolic links; a link that leads out of the project is an error.
Status apply_fix(const FixFacts& fix, const ApplyOptions& options);

}  // namespace gordian
