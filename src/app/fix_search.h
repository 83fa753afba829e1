// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Searching the patched program for what is still dependent, in the copy of the project. Numbers go
// on from those of the user's database, which is not changed: of the patched program it knows
// nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/owned_dir.h"
#include "base/result.h"
#include "model/explanation.h"
#include "repair/workspace.h"
#include "store/dependence_store.h"

namespace gordian {

struct CopySearchOptions {
  std::chrono::milliseconds budget{60'000};
  std::uint64_t seed = 1;
};

class CopySearch {
 public:
  static Result<CopySearch> prepare(const std::filesystem::path& db, Target target,
                                    const CopySearchOptions& options);

  /// For WorkspaceOptions: searches and explains.
  WorkInCopy work() const;
  const std::filesystem::path& work_dir() const { return dir_.path(); }

  /// What the last search found, with an explanation each.
  struct Found {
    std::vector<NamedDependence> dependences;
    std::vector<Explanation> explanations;
  };
  Result<Found> found() const;

 private:
  CopySearch(TemporaryDir dir, Target target, const CopySearchOptions& options)
      : dir_(std::move(dir)), target_(std::move(target)), options_(options) {}
  std::filesystem::path file() const { return dir_.path() / "search.db"; }

  TemporaryDir dir_;
  Target target_;
  CopySearchOptions options_;
};

}  // namespace gordian
