// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last coverage that was collected of each binary and way of starting it. One of another build,
// or of other tests, says nothing and is not found.
#pragma once

#include <chrono>
#include <optional>

#include "base/result.h"
#include "model/coverage.h"
#include "model/search_record.h"
#include "model/target.h"
#include "model/test.h"
#include "store/open_file.h"

namespace gordian {

struct StoredCoverage {
  Coverage coverage;
  std::chrono::seconds age{0};
};

class CoverageStore : public StoreOf<CoverageStore> {
 public:
  using StoreOf::StoreOf;

  /// Replaces an earlier one of the same binary, surroundings and way.
  Status save(const Target& target, const SearchedBuild& build, const Suite& suite,
              const Coverage& coverage);

  /// nullopt: there is none of this very build.
  Result<std::optional<StoredCoverage>> load(const Target& target, const SearchedBuild& build,
                                             const Suite& suite, CoverageWay way);
};

}  // namespace gordian
