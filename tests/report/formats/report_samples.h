// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Small invented reports for the tests of the formats: one with everything in it, one whose every
// text is hostile.
#pragma once

#include <string>
#include <vector>

#include "model/report_facts.h"
#include "tests/report/detect_samples.h"
#include "tests/report/explain_samples.h"

namespace gordian::testing_support {

inline Explanation of_dependence(Explanation explanation, int id) {
  explanation.dependence = DependenceId{id};
  return explanation;
}

/// A diff as `gordian fix` writes it: two places of a file, and a new file.
inline Patch guard_patch() {
  Patch patch;
  patch.summary = "puts g_total back when Cart.T1 ends";
  patch.diff =
      "diff --git a/cart_test.cc b/cart_test.cc\n--- a/cart_test.cc\n+++ b/cart_test.cc\n"
      "@@ -1,2 +1,3 @@\n #include \"cart.h\"\n+#include \"guards.h\"\n \n"
      "@@ -20,3 +21,4 @@\n TEST(Cart, T1) {\n-  Cart().add(50);\n+  Restore restore(g_total);\n"
      "+  Cart().add(50);\n }\n"
      "diff --git a/guards.h b/guards.h\nnew file mode 100644\n--- /dev/null\n+++ b/guards.h\n"
      "@@ -0,0 +1 @@\n+#pragma once\n";
  patch.files = {"cart_test.cc", "guards.h"};
  return patch;
}

inline Repair verified_repair(int id) {
  Repair repair;
  repair.dependence = DependenceId{id};
  repair.attempts.resize(1);
  repair.attempts[0].patch = guard_patch();
  repair.attempts[0].verdict = RepairVerdict::verified;
  repair.accepted = 0;
  return repair;
}

inline ReportedRun sample_durations() {
  ReportedRun run;
  run.id = RunId{7};
  run.tests = {run_of(0, OutcomeKind::pass), run_of(1, OutcomeKind::pass)};
  return run;
}

/// Eight tests: a proved victim with a patch, a brittle test with a suspect, a self-dependent one
/// without explanation, a victim of two tests together whose witness interleaves suites; one that
/// is not deterministic and one that was left out.
inline ReportFacts sample_report() {
  Dependence together = victim(6, {1, 2}, OutcomeKind::crash);
  together.splits_suite = true;
  Dependence first = victim(3, {1});
  first.singles = {TestId{1}, TestId{2}};
  first.cleaners = {TestId{0}};
  ReportedSuite suite;
  suite.detect = sample_search({first, brittle(4, 0), self_dependent(5), together});
  suite.detect.suite = sample_suite(8);
  suite.detect.nondeterministic = {
      {TestId{7}, 10, 3, {}, result(OutcomeKind::pass), result(OutcomeKind::fail)}};
  suite.detect.left_out = {{TestId{2}, "it does not end"}};
  suite.ended_unix_ms = 1'700'000'000'000;
  Carrier locale = plain_carrier(CarrierKind::environment, "LANG", std::nullopt, "\"de\"");
  std::vector<Dependence>& found = suite.detect.dependences;
  found[0].explanation = of_dependence(proved_by({total_carrier()}), 1);
  found[1].explanation = of_dependence(unproved({locale}, "it cannot be reset"), 2);
  found[0].repair = verified_repair(1);
  suite.source_root = "/src";
  suite.runs = {sample_durations()};
  ReportFacts facts;
  facts.suites = {suite};
  facts.db = ".gordian/gordian.db";
  return facts;
}

/// Everything that some format could take for its own: markup, commands, directives, ends of
/// quotes, escapes, control characters, broken UTF-8, and length.
inline std::string hostile_text() {
  return "\x1b[31m]]>::error::x%0Ay%\n::set-env name=A::B\r\n\"'`` ``` | <b>&amp; # SKIP \\ \\\" "
         "{0} [a](1) \xff\xc3 \xe2\x80\xae @all ../x --- ... */ " +
         std::string("\0", 1) + std::string(10'000, 'x');
}

/// Two binaries of one name, with the hostile text in every place that comes from tests.
inline ReportFacts hostile_report() {
  ReportFacts facts = sample_report();
  ReportedSuite& suite = facts.suites[0];
  const std::string bad = hostile_text();
  std::vector<Test> tests = suite.detect.suite.tests();
  for (Test& test : tests) {
    test.suite = bad;
    test.name += bad;
    test.file = "/src/" + bad.substr(0, 100);
  }
  suite.detect.suite = Suite(Framework::gtest, "1", tests);
  suite.detect.target.binary = suite.detect.binary.path = "/build/" + bad.substr(0, 60);
  for (Dependence& dependence : suite.detect.dependences) {
    for (Outcome* outcome : {&dependence.alone, &dependence.witnessed}) {
      outcome->message = bad;
      outcome->file = "/src/" + bad.substr(0, 100);
    }
  }
  for (Dependence& dependence : suite.detect.dependences) {
    if (!dependence.explanation) continue;
    dependence.explanation->why_not = bad;
    for (Carrier& carrier : dependence.explanation->carriers) {
      carrier.key = {carrier.key.kind(), bad};
      carrier.type = bad;
      carrier.old_value = carrier.new_value = bad;
      if (carrier.write) carrier.write->test = carrier.write->stack[0].function = bad;
    }
  }
  suite.detect.dependences[0].repair->attempts[0].patch.summary = bad;
  suite.detect.left_out[0].why = bad;
  facts.suites.push_back(suite);
  return facts;
}

}  // namespace gordian::testing_support
