// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a suspicion to a verdict. An order that changed a result is repeated; the default order and
// the test alone are repeated; the witness is minimised and repeated again. Only what never wavers
// is called a dependence.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "detect/knowledge.h"
#include "detect/lab.h"
#include "suite/dependence.h"

namespace gordian {

/// An order whose last test did not do what is expected of it.
struct Suspicion {
  Order order;
  Outcome observed;
  std::string algorithm;
};

class Judge {
 public:
  /// `confirmations`: how often each order must show the same result.
  Judge(Lab& lab, Knowledge& knowledge, int confirmations)
      : lab_(lab), knowledge_(knowledge), confirmations_(confirmations) {}

  struct Verdict {
    std::optional<Dependence> dependence;
    std::optional<NondeterministicTest> nondeterministic;
  };
  /// Neither is set when too little could be run: the user wants an end, or the process kept ending
  /// before the test. What was seen once and never again is non-deterministic.
  Result<Verdict> examine(const Suspicion& suspicion);

  /// `order` ends with the dependent test, gave the same result, and is shorter than the witness:
  /// makes it the witness if it stands the test.
  Status shorten(Dependence& dependence, const Order& order);

  /// Completes the lists of a dependence: every test that is enough by itself, every cleaner. They
  /// stay as they are, and incomplete, when not everything could be run.
  Status complete_singles(Dependence& dependence);
  Status complete_cleaners(Dependence& dependence);
  /// An earlier search has tried all settled tests as cleaners of `test`, and these are some.
  void know_cleaners(TestId test, std::vector<TestId> cleaners) {
    known_cleaners_.insert_or_assign(test, std::move(cleaners));
  }

 private:
  /// `stable`: its last test did what is wanted, as often as it takes, and nothing else. Neither is
  /// set when it could not be seen often enough.
  struct Repeated {
    bool stable = false;
    std::optional<NondeterministicTest> wavers;
  };
  Result<Repeated> repeat(const Order& order, const Outcome& wanted);
  Result<Repeated> check_alone(TestId test);
  void set_by(Dependence& dependence, Order by) const;
  /// Those whose order gives the result every time; nullopt when not every order could be run.
  Result<std::optional<std::vector<TestId>>> confirmed(const std::vector<TestId>& candidates,
                                                       const std::function<Order(TestId)>& order_of,
                                                       const Outcome& wanted);

  Lab& lab_;
  Knowledge& knowledge_;
  int confirmations_;
  std::map<TestId, std::vector<TestId>> known_cleaners_;
};

/// What a test is, given its result alone and after the witness.
/// Brittle is what fails alone and passes after the witness; all else that changes is a victim,
/// also a test that only fails in another way.
Role role_of(const Outcome& alone, const Outcome& witnessed, const Order& by, TestId test);

/// True if the order returns to a suite it has left.
bool splits_suites(const Suite& suite, const Order& order);

}  // namespace gordian
