// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Commit messages that are offered with patches: what changes, in the imperative, then why. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/repair.h"

namespace gordian {

struct CommitReason {
  std::string test, by;  ///< the dependent test, and what it depended on; `by` may name several
  std::string carrier;   ///< the state between them; empty: unknown
  bool brittle = false;  ///< it needed `by`
};

std::string commit_message(const Patch& patch, const CommitReason& reason);
/// Several patches in one commit. One alone keeps its own message.
std::string combined_message(const std::vector<const Patch*>& patches);

/// "puts x back" -> "Put x back".
std::string imperative(const std::string& summary);

}  // namespace gordian
