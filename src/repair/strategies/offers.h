// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What one rung of the ladder brings forward, and the table's view of a rung.
#pragma once

#include <string>
#include <vector>

#include "repair/strategies/draft.h"

namespace gordian::strategies {

class Offers {
 public:
  Offers(const Scene& scene, Strategy strategy) : scene_(scene), strategy_(strategy) {}

  /// Keeps the finished draft, for the caller to say more of it; null: it is the same as an earlier
  /// one, or cannot be finished.
  Proposal* add(Draft& draft, const std::string& summary, const std::string& reason);
  /// A reason why there may be nothing; the first one is told.
  void no(const std::string& why);

  const Scene& scene() const { return scene_; }
  Strategy strategy() const { return strategy_; }
  bool empty() const { return proposals_.empty(); }
  void move_to(Proposals& all);

 private:
  const Scene& scene_;
  Strategy strategy_;
  std::vector<Proposal> proposals_;
  std::string why_not_;
};

/// Each fills in its offers or says why it has none.
void offer_guards(Offers& offers);  ///< own_reset, restore, process, property, ...
void offer_setter(Offers& offers);
void offer_cleaner(Offers& offers);
void offer_initial_value(Offers& offers);
void offer_listener(Offers& offers);
/// One for the states of all these.
void offer_shared_listener(Offers& offers, const std::vector<const Scene*>& scenes);
void offer_declaration(Offers& offers);

}  // namespace gordian::strategies
