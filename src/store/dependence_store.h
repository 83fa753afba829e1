// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Dependences by number: "D3" is the same dependent test of the same binary path for the life of a
// database, found again or not, also after a rebuild.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "store/open_file.h"

namespace gordian {

class DependenceStore : public StoreOf<DependenceStore> {
 public:
  using StoreOf::StoreOf;

  /// Gives each dependence its number and stores the search.
  Status save(DetectFacts& facts);

  /// For what was found by the way, not by a search: the dependences join the last search of the
  /// binary, which stays the one that is reported. If there is none, or it was of another build or
  /// other tests, the same as save().
  Status add(DetectFacts& facts);

  /// An unknown number is a usage error that says which there are.
  Result<NamedDependence> load(DependenceId id);

  /// All that there are, ascending.
  Result<std::vector<DependenceId>> numbers();

  /// The numbers of what the last search found, ascending; a usage error when there was none.
  Result<std::vector<DependenceId>> of_last_search();
  /// The same for the last search of one binary.
  Result<std::vector<DependenceId>> of_last_search(const std::string& binary_path);
  /// The numbers of all that were ever found in this binary, in whichever build; ascending.
  Result<std::vector<DependenceId>> of_binary(const std::string& binary_path);
  /// Whether this very build was searched.
  Result<bool> was_searched(const BinaryIdentity& binary);

 private:
  Result<std::int64_t> new_search(const DetectFacts& facts);
  /// The search of that number becomes these facts.
  Status write(DetectFacts& facts, std::int64_t search);
  /// The last search of the binary of `facts` with its number, if it had the same build and tests.
  Result<std::optional<std::pair<std::int64_t, DetectFacts>>> search_to_join(
      const DetectFacts& facts);
  Result<DependenceId> save_one(const DetectFacts& facts, const Dependence& dependence,
                                std::int64_t search_id, const std::set<DependenceId>& taken);
  Error unknown(DependenceId id);
  Result<std::vector<DependenceId>> of_search(std::int64_t search);
};

}  // namespace gordian
