// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The checks of verify.h, one function for each: what a patch has to go through, in this order.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "repair/verify.h"

namespace gordian {

/// What all patches of a program are checked with.
struct CheckContext {
  Workspace& workspace;
  BeforePatches& before;  ///< what turns out to waver joins it
  const CheckOptions& options;
  const ChangedFiles& base;
};

/// One patch on its way through the checks. A check that fails for good says so by verdict and
/// `over`.
class PatchChecks {
 public:
  using Tell = Verifier::Tell;

  PatchChecks(CheckContext context, const ChangedFiles& files, const Tell& tell)
      : c_(context), files_(files), changed_(names_of(files)), tell_(tell) {}

  /// One step after another, until one shows harm. An error: it could not be found out.
  Result<Verification> take(const std::vector<std::function<Status()>>& steps);

  Status build();
  Status check_test_list();
  Status check_witness(const NamedDependence& dependence);
  /// Null: no test in particular.
  Status check_alone(const NamedDependence* dependence);
  /// Null: no dependence in particular.
  Status check_passing(const NamedDependence* dependence);
  Status check_repaired(const std::vector<NamedDependence>& repaired);
  Status check_singles(const NamedDependence& dependence);
  Status check_reversed(const NamedDependence& dependence, const Symptoms& reference);
  Status check_default_order();
  Status check_random_orders(const std::string& test, const Symptoms& reference);

 private:
  void check_texts();
  RepairCheck& begin(CheckKind kind) {
    if (c_.options.checking) c_.options.checking(to_string(kind));
    result_.checks.push_back({kind, true, 0, ""});
    return result_.checks.back();
  }
  static void fail(RepairCheck& check, std::string detail) {
    if (!check.passed) return;
    check.passed = false;
    check.detail = std::move(detail);
  }
  void end(RepairVerdict verdict, std::string why) {
    over_ = true;
    result_.verdict = verdict;
    result_.why = std::move(why);
  }
  void reject(const RepairCheck& check) { end(RepairVerdict::rejected, check.detail); }
  void leave_partly(std::string why) {
    if (partly_.empty()) partly_ = std::move(why);
  }

  Result<std::vector<Repeated>> run(const std::vector<Names>& orders) {
    return run_repeatedly(c_.workspace, c_.before.suite, orders, c_.options.confirmations);
  }

  /// `good(position, outcome)` for every position whose test did not waver before.
  template <class Good, class Wanted>
  void judge(RepairCheck& check, const Repeated& run, const Good& good, const Wanted& wanted);

  /// The last test of the order is what counts; the others are there for its sake and judged
  /// elsewhere.
  void judge_goal(RepairCheck& check, const Repeated& run, const NamedDependence& dependence);

  Status check_others_alone(RepairCheck& check, const std::vector<Names>& checked);

  using Suspects = std::map<std::string, Names>;  ///< test -> an order in which it wavers
  /// Those that do so without the patch too do not count from now on. The patch is built again.
  Status clear(const Suspects& suspects, RepairCheck& check);
  Status build_again(const ChangedFiles& files);

  CheckContext c_;
  const ChangedFiles& files_;
  std::set<std::string> changed_;
  const Tell& tell_;
  Verification result_;
  bool over_ = false;
  std::string partly_;
};

}  // namespace gordian
