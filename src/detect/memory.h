// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search is given to continue an earlier one: where states are kept, what this search is
// about, and what was left behind. detect() fills it in, Search::take_over() decides.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/search_record.h"
#include "runtime/session.h"
#include "store/search_store.h"

namespace gordian {

struct Memory {
  SearchStore* store = nullptr;  ///< null: nothing is read or kept
  SearchSettings settings;
  SearchedBuild build;
  std::function<CodeHashes()> hash_code;  ///< takes a while: asked for only when needed
  std::optional<StoredSearch> earlier;
};

}  // namespace gordian
