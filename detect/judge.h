// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a suspicion to a verdict. An order that changed a result is repeated; the default order and
// the test alone are repeated; the witness is minimised and repeated again; last, witness and test
// alone are run in fresh processes, whose addresses and numbers are others: forks of one process
// agree on those. Only what never wavers is called a dependence.
//
// Which dependences a test has is a function of its results: in the default order, alone, and after
// others. Each result that is not the one alone is a dependence of its own, with one exception: a
// test that passes after some tests, and not alone, needs those (it is brittle); that it fails in
// several ways without them is no more than that.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
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

  /// It ran twice in a row, and did something else the second time.
  bool behind_itself() const { return order.size() == 2 && order[0] == order[1]; }
};

class Judge {
 public:
  /// `confirmations`: how often each order must show the same result.
  Judge(Lab& lab, Knowledge& knowledge, int confirmations)
      : lab_(lab), knowledge_(knowledge), confirmations_(confirmations) {}

  struct Verdict {
    /// As many as follow from the results known now, without those that were accounted for before.
    std::vector<Dependence> dependences;
    std::optional<NondeterministicTest> nondeterministic;
    bool unsettled = false;  ///< too little could be run to say anything
  };
  /// Unsettled when the user wants an end, or the process kept ending before the test. What was
  /// seen once and never again is non-deterministic.
  Result<Verdict> examine(const Suspicion& suspicion);

  /// A dependence that was found before, or otherwise, and holds in forks: does it in fresh
  /// processes? If so it is in the verdict, with its count.
  Result<Verdict> confirm_fresh(Dependence found);

  /// REQUIRES: brittle, with its state-setters. Which tests make it fail after all, in another way
  /// than alone, each run before or behind a state-setter: of those it is a victim. None where no
  /// single test sets its state.
  Result<Verdict> find_spoilers(const Dependence& brittle);

  /// REQUIRES: witnessed is a crash. Says where. Polluters that make it crash elsewhere are taken
  /// from its list; what they do is in the verdict.
  Result<Verdict> tell_crashes_apart(Dependence& found);

  /// `order` ends with the dependent test, gave the same result, and is shorter than the witness:
  /// makes it the witness if it stands the test.
  Status shorten(Dependence& dependence, const Order& order);

  /// Completes the lists of a dependence: every test that is enough by itself, every cleaner. They
  /// stay as they are, and incomplete, when not everything could be run.
  Status complete_singles(Dependence& dependence);
  Status complete_cleaners(Dependence& dependence);
  /// An earlier search has tried all settled tests as cleaners in this witness, and these are some.
  void know_cleaners(const Order& witness, std::vector<TestId> cleaners) {
    known_cleaners_.insert_or_assign(witness, std::move(cleaners));
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
  Result<Repeated> check_steady(const Suspicion& suspicion);
  /// A result that differs from the one alone, and what ran before.
  struct Candidate {
    Order before;
    Outcome result;
  };
  std::vector<Candidate> candidates(const Suspicion& suspicion) const;
  Result<Verdict> prove(TestId test, const Candidate& candidate, const std::string& algorithm);
  struct FreshRuns;
  Status run_fresh(FreshRuns& runs, int times);
  Dependence begin_dependence(TestId test, const Outcome& witnessed,
                              const std::string& algorithm) const;
  void set_by(Dependence& dependence, Order by) const;
  Status replace_witness(Dependence& dependence, Order by);
  /// Those whose order gives the result every time; nullopt when not every order could be run.
  Result<std::optional<std::vector<TestId>>> confirmed(const std::vector<TestId>& candidates,
                                                       const std::function<Order(TestId)>& order_of,
                                                       const Outcome& wanted);

  Lab& lab_;
  Knowledge& knowledge_;
  int confirmations_;
  std::set<TestId> steady_;                              ///< alone and in the default order
  std::map<Order, std::vector<TestId>> known_cleaners_;  ///< by witness
};

/// What a test is, given its result alone and after the witness.
/// Brittle is what fails alone and passes after the witness; all else that changes is a victim,
/// also a test that only fails in another way.
Role role_of(const Outcome& alone, const Outcome& witnessed, const Order& by, TestId test);

/// Takes back what is no dependence by itself: see above, of what was found before it was known
/// that a test passes anywhere.
void drop_ways_to_fail_of_brittle_tests(std::vector<Dependence>& dependences);

/// True if the order returns to a suite it has left.
bool splits_suites(const Suite& suite, const Order& order);

}  // namespace gordian
