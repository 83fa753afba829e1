// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/fix_facts.h"

#include <algorithm>

namespace gordian {

const RepairAttempt* accepted_attempt(const Repair& repair) {
  if (!repair.accepted || *repair.accepted >= repair.attempts.size()) return nullptr;
  return &repair.attempts[*repair.accepted];
}

bool is_repaired(const Repair& repair, const std::vector<Repair>& all) {
  const Repair* owner = &repair;
  if (is_stored(repair.gone_by)) {
    auto other = std::find_if(all.begin(), all.end(), [&repair](const Repair& candidate) {
      return candidate.dependence == repair.gone_by;
    });
    if (other == all.end()) return false;
    owner = &*other;
  }
  const RepairAttempt* attempt = accepted_attempt(*owner);
  return attempt != nullptr && attempt->verdict == RepairVerdict::verified;
}

}  // namespace gordian
