// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Repairs that were tried, built and checked, with everything needed to write the accepted ones
// into the source later. The last fix for each binary path and question is kept.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/repair.h"
#include "store/open_file.h"

namespace gordian {

/// What a fix was asked: the same question of the same build has the same answer, as long as the
/// source is the same too.
struct FixKey {
  std::string binary_path;
  std::string sha256;
  std::string settings;  ///< dependences with their witnesses, and options
};

struct StoredFix {
  FixFacts facts;
  std::chrono::seconds age{0};
};

class FixStore : public StoreOf<FixStore> {
 public:
  using StoreOf::StoreOf;

  /// Replaces an earlier one for the same path and question. REQUIRES: the database has the
  /// dependences that the repairs name.
  Status save(const FixKey& key, const FixFacts& facts);

  /// nullopt: there is none for this build.
  Result<std::optional<StoredFix>> load(const FixKey& key);

 private:
  Status save_parts(std::int64_t fix, const FixFacts& facts);
  Status load_parts(std::int64_t fix, FixFacts& facts);
};

}  // namespace gordian
