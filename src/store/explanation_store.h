// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last explanation of each dependence, with what it holds for: a build and a witness. Whether
// it still answers a question is for the caller to say, with fits().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/explanation.h"
#include "store/open_file.h"

namespace gordian {

struct StoredExplanation {
  Explanation explanation;           ///< load() says how old it is
  std::string sha256;                ///< of the binary that was explained
  std::vector<std::string> witness;  ///< names
  bool with_sites = true;            ///< writes and reads were looked for

  /// True if explaining this witness of this build again would ask the same question.
  bool fits(const std::string& build_sha256, const std::vector<std::string>& of) const {
    return sha256 == build_sha256 && witness == of;
  }
};

/// nullopt: there is none.
Result<std::optional<StoredExplanation>> load_explanation(Database& database, DependenceId id);

class ExplanationStore : public StoreOf<ExplanationStore> {
 public:
  using StoreOf::StoreOf;

  /// Replaces an earlier one. REQUIRES: the database has dependence `id`.
  Status save(DependenceId id, const StoredExplanation& explained);

  Result<std::optional<StoredExplanation>> load(DependenceId id) {
    return load_explanation(database_, id);
  }
};

}  // namespace gordian
