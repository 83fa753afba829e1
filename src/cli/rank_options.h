// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Options that `prioritize`, `impact` and `reduce` share, declared once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/rank_session.h"
#include "base/result.h"
#include "cli/command.h"
#include "cli/options.h"

namespace gordian {

struct RankOptions {
  std::string filter, timeout = "10s", isolate = "auto", private_fs = "auto";
  std::vector<std::string> private_dirs;
  std::string coverage, way = "alone", json, budget = "60s";
  std::uint64_t seed = 1;
  int jobs = 0, confirmations = 3;
  bool again = false, no_db = false, test_code = false;
};

void add_rank_options(OptionSet& set, RankOptions& options, CommonOptions& common);

Result<RankRequest> to_rank_request(const RankOptions& options, const CommonOptions& common);

/// The one target that `word` names; a build directory with several is a usage error.
Result<Target> one_target(const std::string& word, const CommonOptions& common);

}  // namespace gordian
