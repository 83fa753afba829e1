// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the program did before any patch: the measure of what it does afterwards. Tests whose result
// changes when an order is repeated are found here, and prove nothing later.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "repair/workspace.h"

namespace gordian {

using Names = std::vector<std::string>;  ///< an order, by names
using Outcomes = std::vector<Outcome>;   ///< of its positions

struct CheckOptions {
  int random_orders = 20;  ///< of the whole suite, before and after
  std::uint64_t seed = 1;
  int confirmations = 3;  ///< runs of each order that must agree
  std::function<void(std::string_view)> checking =
      {};                               ///< gets the name of each check; may be empty
  std::set<std::string> wavering = {};  ///< known to do so before anything was run here
};

/// One order, run several times: what each position did, and whether it always did that.
struct Repeated {
  Names order;
  Outcomes outcomes;         ///< of the first run
  std::vector<bool> steady;  ///< by position: every run gave this
  int runs = 0;
};

/// A test never runs without what it declares: orders are completed and come back as asked for.
Result<std::vector<Repeated>> run_repeatedly(Workspace& workspace, const Suite& suite,
                                             const std::vector<Names>& orders, int times);

/// The test first, then those it depends on.
Names reversed(const NamedDependence& dependence);

/// What random orders show of tests, by the numbers of the orders.
struct Symptoms {
  using Orders = std::map<std::string, std::set<std::size_t>>;
  Orders differing;  ///< its result is another one, each time
  Orders unseen;     ///< it was not reached: the process had ended before it
};

struct BeforePatches {
  Suite suite;
  Names order;                              ///< the default order
  std::map<std::string, Outcome> expected;  ///< in it
  std::map<std::string, Outcome> alone;
  std::map<std::string, Outcome> goals;  ///< of the tests to be repaired
  std::map<Names, Outcomes> reversed;    ///< by order: such a test first, then what it depends on
  std::vector<Names> passing;            ///< witnesses of brittle tests, whose last test passes
  std::vector<Names> random_orders;
  std::vector<std::string> random_specs;  ///< the same, as --order takes them
  Symptoms symptoms;                      ///< by the random orders
  std::set<std::string> wavering;         ///< not always the same: proves nothing
  int runs = 0;

  /// As it has to be; of a test that does not pass, as alone is good too if that is no failure. A
  /// wavering test always is.
  bool is_fine(const std::string& test, const Outcome& outcome,
               const std::set<std::string>& changed_files) const;
  /// What it does unless somebody disturbs it.
  const Outcome& usual(const std::string& test) const;
};

/// The same result, though lines in these files have moved.
bool same_after(const Outcome& before, const Outcome& after,
                const std::set<std::string>& changed_files);

Result<BeforePatches> measure_before(Workspace& workspace,
                                     const std::vector<NamedDependence>& dependences,
                                     const CheckOptions& options);

/// What the random orders do now. Those in which something differs are repeated.
struct RandomRuns {
  Symptoms symptoms;
  struct Example {
    std::string order;  ///< as --order takes it
    Outcome seen;
  };
  std::map<std::string, Example> examples;  ///< the first one for each of these
  std::map<std::string, Names> wavering;    ///< not the same each time: the first such order
  int runs = 0;
};
Result<RandomRuns> run_random(Workspace& workspace, const BeforePatches& before,
                              const std::set<std::string>& changed_files, int confirmations);

}  // namespace gordian
