// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/narrow.h"

#include <algorithm>
#include <string>

namespace gordian {
namespace {

/// The dependent test does behind the others what it does alone. That the witness shows the
/// dependence there is for the state diff to see.
bool as_alone(WitnessLab& lab) {
  auto outcome = lab.run_alone([](HeldProcess&) {}, Moment::before_suite);
  return outcome && same_result(*outcome, good_result(lab.dependence()));
}

}  // namespace

Order makers_to_try(const Suite& suite, const Dependence& dependence) {
  constexpr std::size_t kMost = 6;
  Order tests{dependence.test};  // it reads the variable, so it makes it
  const Order& witness = dependence.witness;
  for (TestId test : suite.default_order()) {
    if (tests.size() == kMost) break;
    if (std::find(witness.begin(), witness.end(), test) == witness.end()) tests.push_back(test);
  }
  return tests;
}

std::optional<Explanation> narrowed(Executor& executor, const Dependence& dependence,
                                    const ProvedSet& proved, const ExplainWork& work) {
  int searches = 2;  // of parts that were there and did not help, the next will hardly
  for (TestId maker : makers_to_try(executor.suite(), dependence)) {
    if (work.enough() || searches == 0) break;
    WitnessLab lab(executor, dependence, {maker});
    work.listener.step(dependence, "running it behind " + lab.name_of(maker));
    if (!as_alone(lab)) continue;
    Explainer explainer(lab, work);
    auto explained = explainer.explain_part_of(proved);
    if (explained && *explained) return std::move(**explained);
    if (explainer.had_parts()) --searches;
  }
  return std::nullopt;
}

}  // namespace gordian
