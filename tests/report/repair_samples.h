// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Small invented repairs for the tests of the reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/report_facts.h"
#include "tests/report/detect_samples.h"

namespace gordian::testing_support {

inline Patch sample_patch(Strategy strategy = Strategy::restore) {
  Patch patch;
  patch.strategy = strategy;
  patch.diff =
      "diff --git a/cart_test.cc b/cart_test.cc\n--- a/cart_test.cc\n+++ b/cart_test.cc\n"
      "@@ -1,5 +1,7 @@\n #include \"cart.h\"\n+#include \"gordian_guards.h\"\n \n"
      " TEST(Cart, T1) {\n+\tgordian_guards::Restore restore(g_total);\n--- x;\n"
      "diff --git a/gordian_guards.h b/gordian_guards.h\nnew file mode 100644\n"
      "--- /dev/null\n+++ b/gordian_guards.h\n@@ -0,0 +1 @@\n+#pragma once\n";
  patch.summary = "puts g_total back when Cart.T1 ends";
  patch.reason = "Cart.T1 writes it, and nothing needs what it leaves";
  patch.commit_message = "Put g_total back at the end of Cart.T1";
  patch.added = 2;
  patch.removed = 1;
  patch.files = {"cart_test.cc", "gordian_guards.h"};
  return patch;
}

inline RepairAttempt attempt(Strategy strategy, RepairVerdict verdict, std::string why = "") {
  RepairAttempt made;
  made.patch = sample_patch(strategy);
  made.verdict = verdict;
  made.why = std::move(why);
  made.build_seconds = 1.5;
  made.check_seconds = 0.25;
  if (verdict == RepairVerdict::not_built) return made;
  made.checks = {{CheckKind::alone, true, 6, ""},
                 {CheckKind::witness, true, 3, ""},
                 {CheckKind::random_orders, true, 20, ""}};
  if (verdict == RepairVerdict::verified) return made;
  made.checks.back() = {CheckKind::random_orders, false, 20, "Cart.T9 fails in 4 of them"};
  return made;
}

/// Each verdict that a dependence can get: D1 verified at the third try, D2 goes with it, D3
/// partly, D4 tried in vain, D5 beyond every strategy.
inline FixReport sample_fix() {
  using V = RepairVerdict;
  FixReport report;
  report.binary = "/home/me/build/cart_test";
  report.suite = sample_suite(121);
  report.dependences = {victim(3, {1}), victim(8, {1}), brittle(14, 7), self_dependent(12),
                        victim(22, {10}, OutcomeKind::crash)};
  for (std::size_t i = 0; i < report.dependences.size(); ++i)
    report.dependences[i].id = DependenceId{static_cast<int>(i) + 1};
  FixFacts& fix = report.fix;
  fix.source_root = "/home/me/cart";
  fix.build_command = "cmake --build build";
  fix.repairs = {
      {DependenceId{1},
       {attempt(Strategy::own_reset, V::not_built,
                "cart_test.cc:9:3: error: 'reset' was not declared in this scope"),
        attempt(Strategy::members, V::rejected, "Cart.T3 still fails after Cart.T1"),
        attempt(Strategy::restore, V::verified)},
       {{Strategy::fresh, "g_total is no pointer"}},
       2,
       kNoDependence,
       ""},
      {DependenceId{2}, {}, {}, std::nullopt, DependenceId{1}, ""},
      {DependenceId{3},
       {attempt(Strategy::copy_setter, V::partly, "some random order makes another test differ")},
       {},
       0,
       kNoDependence,
       ""},
      {DependenceId{4},
       {attempt(Strategy::restore, V::rejected, "Cart.T12 fails alone")},
       {{Strategy::paper, "no initializer is known"}},
       std::nullopt,
       kNoDependence,
       "no strategy passed every check"},
      {DependenceId{5},
       {},
       {{Strategy::restore, "a thread cannot be put back"}, {Strategy::paper, "no variable"}},
       std::nullopt,
       kNoDependence,
       "the carrier is a thread that goes on after its test"}};
  fix.files = {{"/home/me/cart/cart_test.cc", {"before", "after"}},
               {"/home/me/cart/gordian_guards.h", {std::nullopt, "new"}}};
  fix.diff = sample_patch().diff;
  fix.commit_message =
      "Make the tests of Cart independent of their order\n\nBecause they were not.";
  fix.failing_before = 4;
  fix.failing_after = 1;
  fix.random_orders = 20;
  fix.checks = {{CheckKind::default_order, true, 3, ""}};
  fix.seconds = 12.5;
  report.db = ".gordian/gordian.db";
  report.apply_command = "gordian fix --apply";
  return report;
}

}  // namespace gordian::testing_support
