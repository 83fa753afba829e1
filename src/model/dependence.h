// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The facts of a search for dependent tests: what was found, with its proof, and what was explored.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/data_flow.h"
#include "model/explanation.h"
#include "model/ids.h"
#include "model/outcome.h"
#include "model/repair.h"
#include "model/run.h"
#include "model/search_phase.h"
#include "model/target.h"
#include "model/test.h"

namespace gordian {

enum class Role : std::uint8_t {
  victim,          ///< passes alone, fails after the polluter
  brittle,         ///< fails alone, passes after the state-setter
  self_dependent,  ///< changes its result when run twice in one process
};

std::string_view to_string(Role role);
std::optional<Role> parse_role(std::string_view word);

/// One dependence of a test, with its proof. The proof is a pair of orders: the test alone, and the
/// witness; their results differ, each time they are repeated, in fresh processes too. A test has
/// as many of them as it has roles and results: see same_dependence().
struct Dependence {
  DependenceId id;
  TestId test;
  Role role = Role::victim;
  Order by;           ///< what must run before it, shortest known, in this order
  Order witness;      ///< by, then the test
  Outcome expected;   ///< in the default order
  Outcome alone;      ///< as the only test of its process
  Outcome witnessed;  ///< at the end of the witness
  int confirmed = 0;  ///< how often the witness was run with this result
  int fresh = 0;      ///< so often at least in a fresh process, and the test alone
  /// Of a victim that does not pass alone: the part of `by` after which it passes.
  Order passes_after;
  std::vector<TestId> singles;     ///< each alone is enough in place of `by`: polluters, or
                                   ///< state-setters of a brittle test
  bool singles_complete = false;   ///< every test was tried
  std::vector<TestId> cleaners;    ///< run between, they make a victim's result as alone again
  bool cleaners_complete = false;  ///< every test was tried
  bool splits_suite = false;       ///< the witness interleaves suites: the framework itself would
                                   ///< not run it
  std::string found_by;            ///< the algorithm whose order showed it first
  /// What is known of it by now: each step after the search adds its part, and the reports of all
  /// of them are functions of this.
  std::optional<Explanation> explanation;
  std::optional<Repair> repair;

  /// One that says nothing, where there is none.
  const Explanation& explained() const;
  /// The result that is not the expected one: as witnessed, or alone if that is the expected one.
  const Outcome& observed() const;
  /// The order that gives it.
  Order observed_order() const;
};

/// What the test does without its polluters: its result alone, or a pass after what it needs.
Outcome good_result(const Dependence& dependence);

/// The same test in the same role with the same result; a crash also in the same place.
bool same_dependence(const Dependence& a, const Dependence& b);

/// A test whose result changes when one order is repeated: never called dependent.
struct NondeterministicTest {
  TestId test;
  int runs = 0;    ///< of that order
  int differ = 0;  ///< runs with another result than the most frequent one
  Order order;     ///< the order repeated, ending with the test; empty: the default order
  Outcome usual, other;
  /// It was stable in forks of one process, and is not in fresh ones: `runs` and `differ` count
  /// those of `order` there, these the ones of the test alone. All are held against `usual`.
  bool in_fresh = false;
  int alone_runs = 0, alone_differ = 0;
};

/// A test that looked dependent, and was not run often enough to say so.
struct SuspectedTest {
  TestId test;
  Order order;  ///< the one that showed it
  Outcome expected, observed;
};

/// A test whose author says that others have to run before it, and what it does without them.
struct DeclaredDependence {
  TestId test;
  Order on;  ///< those, also by the declarations of others
  Outcome expected, without;
  bool needed = false;  ///< the two differ, each time
};

struct LeftOutTest {
  TestId test;
  std::string why;
};

/// An order that was to be run, and of whose last test no result was seen that counts.
struct UnseenOrder {
  Order order;
  std::string why;
};

/// One part of the search.
struct SearchPhase {
  PhaseKind kind = PhaseKind::default_order;
  std::uint64_t orders = 0, tests_run = 0;
  int found = 0;  ///< dependent tests that it showed first
  std::chrono::nanoseconds wall{0};
  bool finished = false;   ///< false: the budget or the user ended it
  std::uint64_t lost = 0;  ///< orders that gave no result, also in a fresh process
};

/// What a search took over from an earlier one of the same binary path and settings.
struct ResumedFrom {
  enum class Kind : std::uint8_t {
    continued,  ///< the same build, not finished then
    finished,   ///< the same build, and nothing was left to run
    rebuilt,    ///< another build: pairs of unchanged tests were taken over
  } kind = Kind::continued;
  std::chrono::seconds age{0};      ///< since that search was stored last
  std::uint64_t pairs_covered = 0;  ///< of those of this search, at its start
  std::uint64_t changed_tests = 0;  ///< searched anew: new or changed ones, or with other results
  std::uint64_t known = 0;          ///< dependences of that search that were checked again
};

std::string_view to_string(ResumedFrom::Kind kind);

/// "just now", "40 seconds ago", "2 minutes ago", "3 days ago".
std::string ago(std::chrono::seconds age);

struct SearchFacts {
  std::string algorithm;  ///< as asked for
  std::uint64_t orders = 0, tests_run = 0;
  std::chrono::nanoseconds wall{0};
  std::chrono::milliseconds budget{0};  ///< 0: none
  bool out_of_budget = false;
  bool nothing_searched = false;  ///< no order was run but the default one: no finding says nothing
  int complete_k = 0;  ///< of every order of up to so many tests the result was seen, or proved
                       ///< needless
  std::uint64_t pairs_total = 0, pairs_covered = 0;
  std::uint64_t seed = 0;
  std::vector<SearchPhase> phases;
  std::optional<ResumedFrom> resumed;   ///< parts come from an earlier search
  std::optional<PruningFacts> pruning;  ///< orders were to be spared by what tests read and write
  std::vector<UnseenOrder> unseen;      ///< the first ones of them
  std::uint64_t unseen_total = 0;       ///< all of them
};

/// 95 % confidence interval (Wilson) of a rate.
struct Interval {
  double low = 0, high = 1;
};
Interval rate_interval(int hits, int runs);

struct DetectFacts {
  BinaryIdentity binary;
  Target target;
  Suite suite;
  Isolation isolation = Isolation::fork;  ///< of one order from the next
  bool private_fs = false;
  SearchFacts search;
  std::vector<Dependence> dependences;
  std::vector<NondeterministicTest> nondeterministic;
  std::vector<SuspectedTest> suspected;      ///< no findings: there was no time to confirm them
  std::vector<DeclaredDependence> declared;  ///< known to the authors: no findings
  std::vector<LeftOutTest> left_out;
  std::vector<FlowFacts> flows;  ///< data dependences that were refined: of the default order first
  std::vector<Notice> notices;
  RunEnd end = RunEnd::unfinished;
  std::string db;  ///< where it is stored; empty: nowhere
};

/// A dependence by the names of its tests. Numbers of tests hold for one build; names outlive it.
/// So this is how a dependence is stored, and how a patched program is asked for it. Everybody else
/// has numbers, and the two meet here.
struct NamedDependence {
  DependenceId id;
  std::string test{};
  Role role = Role::victim;
  std::vector<std::string> by{}, witness{}, singles{};  ///< as in Dependence
  Outcome alone{}, witnessed{}, expected{};
  std::vector<std::string> cleaners{}, passes_after{};
  /// How to start the program, and the build in which it was found last: as a database knows it.
  Target target{};
  std::string sha256{}, build_id{};

  /// What its test has to do once it is repaired: pass, whatever its role is said to be. Where
  /// nobody has seen it pass there is no goal.
  Outcome goal() const;
  bool has_goal() const { return goal().kind == OutcomeKind::pass; }
};

NamedDependence named(const Suite& suite, const Dependence& dependence);

/// By the numbers of `suite`. A test of the witness that it does not have is an error; others that
/// it lacks are left out: without one of them the dependence is still one.
Result<Dependence> numbered(const NamedDependence& dependence, const Suite& suite);

/// Full names.
std::vector<std::string> names_of(const Suite& suite, const std::vector<TestId>& tests);

}  // namespace gordian
