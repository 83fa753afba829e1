// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a suspicion to a verdict. An order that changed a result is repeated; the default order and
// the test alone are repeated; the witness is minimised and repeated again; last, witness and test
// alone are run in fresh processes, whose addresses and numbers are others: forks of one process
// agree on those. Only what is the same each time is called a dependence.
//
// Which dependences a test has is a function of its results: in the default order, alone, and after
// others. Each result that is not the one alone is a dependence of its own, with one exception: a
// test that passes after some tests, and not alone, needs those (it is brittle); that it fails in
// several ways without them is no more than that, and no more that it passes after itself.
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
#include "model/dependence.h"

namespace gordian {

/// An order whose last test did not do what is expected of it.
struct Suspicion {
  Order order;
  Outcome observed;
  std::string algorithm;
  /// Others with the same result, the first ones: looked at if that one turns out to be
  /// nondeterministic because of what runs before.
  static constexpr std::size_t kMostOthers = 16;
  std::vector<Order> others{};
  bool has_more = false;  ///< than those

  /// It ran twice in a row, and did something else the second time.
  bool behind_itself() const { return order.size() == 2 && order[0] == order[1]; }
};

class Judge {
 public:
  /// `confirmations`: how often each order must show the same result.
  Judge(Lab& lab, Knowledge& knowledge, int confirmations)
      : lab_(lab), knowledge_(knowledge), confirmations_(confirmations) {}

  /// What was seen, and could not be made out: the search was to end, the process kept ending
  /// before the test, or it did not come back.
  struct Open {
    Order order;
    Outcome observed;
    std::string why;
  };
  struct Verdict {
    /// As many as follow from the results known now, without those that were accounted for before.
    std::vector<Dependence> dependences;
    std::optional<NondeterministicTest> nondeterministic;
    std::vector<Open> open;

    void add(Verdict other);
  };
  /// What was seen once and never again is non-deterministic.
  Result<Verdict> examine(const Suspicion& suspicion);

  /// A dependence that was found before, or otherwise, and holds in forks: does it in fresh
  /// processes? If so it is in the verdict, with its count.
  Result<Verdict> confirm_fresh(Dependence found);

  /// REQUIRES: brittle, with its state-setters. Which tests make it fail after all, in another way
  /// than alone, each run before or after a state-setter: of those it is a victim. None where no
  /// single test sets its state.
  Result<Verdict> find_spoilers(const Dependence& brittle);

  /// REQUIRES: witnessed is a crash. Says where, if that is the same each time. Polluters that make
  /// it crash elsewhere are taken from its list; what they do is in the verdict. It stays as it is
  /// while any of that is open.
  Result<Verdict> tell_crashes_apart(Dependence& found);

  /// Is the test nondeterministic where no other test can be to blame: alone, in the default order,
  /// or in the witnesses of what is known of it? Each is run often, but for the default order.
  Result<std::optional<NondeterministicTest>> is_nondeterministic_by_itself(
      TestId test, const std::vector<Dependence>& known);

  /// `order` ends with the dependent test, gave the same result, and is shorter than the witness:
  /// makes it the witness if it stands the test.
  Status shorten(Dependence& dependence, const Order& order);

  /// Completes the lists of a dependence: every test that is enough by itself, every cleaner. They
  /// stay as they are, and incomplete, when not everything could be run. What is only enough with
  /// tests that it needs to pass (`passes_after`) is not listed.
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
    std::optional<NondeterministicTest> nondeterministic;
  };
  static Order with(Order before, TestId last);
  static Verdict not_steady(const Repeated& repeated, Order order, const Outcome& observed);
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
  Outcome steady_crash_place(const Order& order, const Outcome& crash);
  static void note_unseen_places(Dependence& found);
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
void drop_what_brittle_implies(std::vector<Dependence>& dependences);

/// True if the order returns to a suite it has left.
bool splits_suites(const Suite& suite, const Order& order);

}  // namespace gordian
