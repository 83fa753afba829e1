// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What `prioritize`, `impact` and `reduce` do with an open RankSession. Curves of orders that cover
// are kept in its database for reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/rank_session.h"
#include "app/seeded_faults.h"
#include "base/result.h"
#include "model/rank_facts.h"
#include "order/ranking.h"

namespace gordian {

struct PrioritizeRequest {
  Technique technique = Technique::random;
  std::uint64_t seed = 1;
  bool aware = false;   ///< keep to known dependences
  bool verify = false;  ///< run the order and compare
};
Result<PrioritizeFacts> prioritize_tests(const PrioritizeRequest& request, RankSession& session);

/// One order: T1 is another one with each seed.
struct AskedOrder {
  Technique technique;
  std::uint64_t seed;
};
/// An interrupt is no error: facts.end says so, and `orders` are those that were checked.
Result<ImpactFacts> impact_of_orders(const std::vector<AskedOrder>& asked, bool aware,
                                     RankSession& session);

struct ReduceRequest {
  bool unaware = false;  ///< by coverage alone, whatever is known of dependences
  bool verify = true;
  bool times = true;                ///< measure what all and the reduced tests take,
  int rounds = 1;                   ///< so often
  std::string faults_file;          ///< where these are from
  std::vector<ListedFault> faults;  ///< which of them do the reduced tests still find?
};
Result<ReduceFacts> reduce_tests(const ReduceRequest& request, RankSession& session);

}  // namespace gordian
