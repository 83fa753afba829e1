// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Small invented searches for the tests of the reports, on the suite of sample_facts.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "model/dependence.h"
#include "tests/report/sample_facts.h"

namespace gordian::testing_support {

inline Outcome result(OutcomeKind kind) {
  return run_of(0, kind).outcome;
}

/// Not yet numbered: with_dependences() does that.
inline Dependence victim(std::uint32_t test, const std::vector<std::uint32_t>& by,
                         OutcomeKind after = OutcomeKind::fail) {
  Dependence d;
  d.test = TestId{test};
  for (std::uint32_t id : by) d.by.push_back(TestId{id});
  d.witness = d.by;
  d.witness.push_back(d.test);
  d.expected = d.alone = result(OutcomeKind::pass);
  d.witnessed = result(after);
  d.confirmed = 3;
  if (by.size() == 1) d.singles = d.by;
  d.found_by = "pairs";
  return d;
}

inline Dependence brittle(std::uint32_t test, std::uint32_t setter) {
  Dependence d = victim(test, {setter});
  d.role = Role::brittle;
  d.alone = result(OutcomeKind::fail);
  d.witnessed = result(OutcomeKind::pass);
  return d;
}

inline Dependence self_dependent(std::uint32_t test) {
  Dependence d = victim(test, {test});
  d.role = Role::self_dependent;
  return d;
}

/// A stored search of 121 tests that ran all pairs; D1, D2, ... as given.
inline DetectFacts sample_search(std::vector<Dependence> dependences = {}) {
  DetectFacts facts;
  facts.suite = sample_suite(121);
  facts.target.binary = facts.binary.path = "/home/me/build/cart_test";
  facts.target.working_dir = "/home/me/build";
  facts.binary.build_id = "abcd";
  facts.private_fs = true;
  SearchFacts& search = facts.search;
  search.algorithm = "auto";
  search.orders = 14'522;
  search.tests_run = 29'163;
  search.wall = std::chrono::milliseconds(12'345);
  search.budget = std::chrono::seconds(60);
  search.complete_k = 2;
  search.pairs_total = search.pairs_covered = 14'520;
  search.seed = 42;
  search.phases = {{PhaseKind::isolation, 121, 121, 0, std::chrono::milliseconds(45), true},
                   {PhaseKind::pairs, 14'401, 29'042, 0, std::chrono::milliseconds(12'300), true}};
  for (Dependence& d : dependences) d.id = DependenceId{++search.phases[1].found};
  facts.dependences = std::move(dependences);
  facts.end = RunEnd::finished;
  facts.db = ".gordian/gordian.db";
  return facts;
}

/// The same, ended by its budget in the middle of the pairs.
inline DetectFacts unfinished_search(std::vector<Dependence> dependences = {}) {
  DetectFacts facts = sample_search(std::move(dependences));
  facts.search.complete_k = 0;
  facts.search.pairs_covered = 3'210;
  facts.search.out_of_budget = true;
  facts.search.phases[1].finished = false;
  return facts;
}

}  // namespace gordian::testing_support
