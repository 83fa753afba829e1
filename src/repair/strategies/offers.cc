// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/offers.h"

#include <algorithm>

namespace gordian::strategies {
namespace {

bool same(const Change& a, const Change& b) {
  return a.new_files == b.new_files && a.edits.size() == b.edits.size() &&
         std::equal(a.edits.begin(), a.edits.end(), b.edits.begin(),
                    [](const Edit& x, const Edit& y) {
                      return x.file == y.file && x.offset == y.offset && x.length == y.length &&
                             x.text == y.text;
                    });
}

}  // namespace

Proposal* Offers::add(Draft& draft, const std::string& summary, const std::string& reason) {
  auto change = draft.finish();
  if (!change) {
    no(draft.why_not());
    return nullptr;
  }
  for (const Proposal& old : proposals_) {
    if (same(old.change, *change)) return nullptr;
  }
  Proposal& kept = proposals_.emplace_back();
  kept.strategy = strategy_;
  kept.change = std::move(*change);
  kept.summary = summary;
  kept.reason = reason;
  return &kept;
}

void Offers::no(const std::string& why) {
  if (why_not_.empty()) why_not_ = why;
}

void Offers::move_to(Proposals& all) {
  if (proposals_.empty()) {
    all.inapplicable.push_back(
        {strategy_, why_not_.empty() ? "it has nothing to offer" : why_not_});
  }
  std::move(proposals_.begin(), proposals_.end(), std::back_inserter(all.ladder));
}

}  // namespace gordian::strategies
