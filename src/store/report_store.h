// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Reads everything that a report tells from a database. Each call reads one moment, whatever other
// processes write meanwhile. Writes nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/report_facts.h"
#include "store/open_file.h"

namespace gordian {

class ReportStore : public StoreOf<ReportStore> {
 public:
  using StoreOf::StoreOf;

  /// REQUIRES of the file as RunStore::open(), but a missing one is a usage error.
  static Result<ReportStore> open(const std::filesystem::path& file);

  /// The last search of each binary, with what belongs to it. `binaries`: only these paths; empty:
  /// all. A usage error when there is no search (of one of them), or when it was stored by a
  /// version that did not keep enough.
  Result<ReportFacts> load(const std::vector<std::string>& binaries = {});

 private:
  Result<std::vector<std::int64_t>> last_searches(const std::vector<std::string>& binaries);
  Result<ReportedSuite> load_search(std::int64_t search);
  Status load_runs(std::int64_t suite_row, ReportedSuite& suite);
  Status load_explanations(ReportedSuite& suite);
  Status load_repairs(ReportedSuite& suite);
  Status load_pairs(ReportedSuite& suite);
};

}  // namespace gordian
