// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Pages to look at: the built page with made-up reports in it.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Dependence, Explanation, Outcome, Repair, Report, Site, Suite } from "../src/model";

const page = process.env.GORDIAN_PAGE ?? "dist/index.html";

/** Writes a page with this report, as report/page/html.cc does, and gives its address. */
export function pageWith(report: unknown): string {
  const text = JSON.stringify(report).replace(
    /[<>&\u007f-\uffff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"),
  );
  const file = join(mkdtempSync(join(tmpdir(), "gordian-page-")), "report.html");
  writeFileSync(
    file,
    readFileSync(page, "utf8").replace('"GORDIAN_REPORT"', () => text),
  );
  return pathToFileURL(file).href;
}

export function outcome(word: string, message: string | null = null): Outcome {
  return {
    outcome: word,
    file: message ? "tests/cart_test.cc" : null,
    line: message ? 41 : null,
    message,
    signal_name: null,
    exit_code: null,
  };
}

const source = [
  "void Settings::set_verbosity(int level) {",
  "  std::lock_guard lock(mutex_);",
  "  verbosity_ = level;",
  "}",
  "",
];

function site(test: string, line: number): Site {
  const excerpt = source.map((text, i) => ({ line: line - 2 + i, text }));
  const frame = (name: string, at: number) => ({
    function: name,
    file: "src/settings.cc",
    line: at,
    module: "cart_test",
  });
  const stack = [
    frame("Settings::set_verbosity(int)", line),
    frame("SettingsTest_CanBeLoud_Test::TestBody()", 88),
    frame("main", 9),
  ];
  return {
    test,
    file: "src/settings.cc",
    line,
    function: "Settings::set_verbosity(int)",
    times: 2,
    times_capped: false,
    excerpt,
    stack,
  };
}

export function explanation(test: string, polluter: string, name: string): Explanation {
  const carrier = {
    kind: "variable",
    name,
    type: "int",
    old: "1",
    new: "3",
    declared: { file: "src/settings.h", line: 12 },
    proved: true,
    write: site(polluter, 17),
    read: site(test, 112),
  };
  return {
    behind: [],
    proved: true,
    proofs: 3,
    changes: 4,
    why_not: null,
    no_sites: null,
    carriers: [carrier],
  };
}

export function repair(): Repair {
  const guards =
    "diff --git a/tests/gordian_guards.h b/tests/gordian_guards.h\nnew file mode 100644\n--- /dev/null\n+++ b/tests/gordian_guards.h\n@@ -0,0 +1,2 @@\n+// Puts things back.\n+#pragma once\n";
  const use =
    "diff --git a/tests/cart_test.cc b/tests/cart_test.cc\n--- a/tests/cart_test.cc\n+++ b/tests/cart_test.cc\n@@ -40,5 +40,6 @@ TEST(SettingsTest, CanBeLoud)\n   Settings& settings = Settings::instance();\n-  settings.reset();\n+  ScopedRestore<int> restore(settings.verbosity());\n+  settings.set_verbosity(3);\n }\n";
  const diff = guards + use;
  const checks = ["alone", "witness", "reversed", "default order", "random orders"].map((name, i) => ({
    name,
    passed: true,
    runs: 3 + i,
    detail: null,
  }));
  const attempts = [
    { strategy: "own-reset", verdict: "rejected", summary: "calls reset()", why: "the witness still fails" },
    {
      strategy: "restore",
      verdict: "verified",
      summary: "puts verbosity_ back when SettingsTest.CanBeLoud ends",
      why: null,
    },
  ];
  return {
    verdict: "verified",
    strategy: "restore",
    summary: attempts[1].summary,
    reason: "The test writes it in one place.",
    diff,
    checks,
    gone_by: null,
    why_not: null,
    attempts,
    inapplicable: [{ strategy: "fresh", why: "there is no pointer" }],
  };
}

export function victim(id: number, test: string, polluter: string, carrier: string): Dependence {
  const failed = outcome(
    "fail",
    "Expected equality of these values:\n  settings.verbosity()\n    Which is: 3\n  1",
  );
  return {
    id: `D${id}`,
    test,
    role: "victim",
    by: [polluter],
    witness: [polluter, test],
    expected: outcome("pass"),
    alone: outcome("pass"),
    witnessed: failed,
    observed: failed,
    observed_order: [polluter, test],
    confirmed: 3,
    polluters: [polluter],
    state_setters: [],
    polluters_complete: true,
    cleaners: [],
    cleaners_complete: true,
    found_by: "reversal",
    replay: `gordian replay D${id}`,
    explanation: explanation(test, polluter, carrier),
    repair: repair(),
  };
}

export function brittle(id: number, test: string, setter: string): Dependence {
  return {
    ...victim(id, test, setter, "g_cache"),
    role: "brittle",
    alone: outcome("fail", "cache is empty"),
    witnessed: outcome("pass"),
    polluters: [],
    state_setters: [setter],
    explanation: null,
    repair: null,
  };
}

function searchOf(tests: number, dependences: number): Suite["search"] {
  const phase = (algorithm: string, orders: number, found: number, seconds: number, finished: boolean) => ({
    algorithm,
    orders,
    tests_run: 2 * orders,
    found,
    seconds,
    finished,
  });
  return {
    algorithm: "auto",
    orders: 900 + tests,
    tests_run: 2000,
    seconds: 1.5,
    complete_k: 2,
    pairs_total: tests * (tests - 1),
    pairs_covered: tests * (tests - 1),
    out_of_budget: false,
    budget_seconds: 60,
    isolation: "snapshot",
    private_fs: true,
    phases: [
      phase("default order", 3, 0, 0.1, true),
      phase("isolation", tests, 0, 0.4, true),
      phase("pairs", 800, dependences, 1, false),
    ],
  };
}

const growth = (steep: number) =>
  Array.from({ length: 40 }, (_, i) => Math.round(1200 * (1 - Math.exp(-(i + 1) / steep))));

/** Tests "Suite<n>.Test<n>"; every third one has a victim behind it. */
export function suite(
  tests: number,
  dependences: number,
  name = (i: number) => `Suite${Math.floor(i / 20)}.Test${i}`,
): Suite {
  const names = Array.from({ length: tests }, (_, i) => name(i));
  const bytes = Buffer.alloc(Math.ceil(tests / 8), 0xff).toString("base64");
  const run = (isolation: string, k: number) => ({
    id: `R${k + 1}`,
    isolation,
    wall_ns: 1e7 * (k + 1),
    outcomes: names.map(() => "pass"),
    duration_ns: names.map((_, i) => 1000 + ((i * 7919) % 5000) * 100),
  });
  const past = (k: number) => ({
    id: `R${k}`,
    order: k === 1 ? "default" : `random:${k}`,
    isolation: "none",
    started_unix_ms: 1_700_000_000_000 + k * 60_000,
    wall_ns: 3e7,
    end: "finished",
    tests,
    failed: k - 1,
  });
  return {
    suite: {
      binary: "/home/ada/shop/build/tests/cart_test",
      framework: "gtest",
      framework_version: "1.12.1",
      tests,
    },
    ended_unix_ms: 1_700_000_000_000,
    verdict: `${dependences} dependent tests (${dependences} victims) among ${tests}.`,
    explored: [`Complete for two tests: all ${tests * (tests - 1)} ordered pairs were run.`],
    search: searchOf(tests, dependences),
    tests: names.map((test, i) => ({ name: test, file: "tests/cart_test.cc", line: i + 1, disabled: false })),
    runs: [run("none", 0), run("snapshot", 1)],
    dependences: Array.from({ length: dependences }, (_, i) =>
      victim(i + 1, names[(3 * i + 1) % tests], names[(3 * i) % tests], `g_state_${i % 40}`),
    ),
    nondeterministic: [
      { test: names[tests - 1], runs: 10, differ: 3, usual: outcome("pass"), other: outcome("fail") },
    ],
    declared: [],
    left_out: [],
    notices: [],
    data_flows: [],
    pairs: {
      tests: names,
      covered: names.map(() => bytes), // as docs/json.md has them, not as the page keeps them
      changed: Array.from({ length: dependences }, (_, i) => [(3 * i) % tests, (3 * i + 1) % tests]),
    } as unknown as Suite["pairs"],
    history: [past(2), past(1)],
    curves: [
      { technique: "T3", rate: 0.71, units: "statements", total: 1200, covered: growth(12) },
      { technique: "T4", rate: 0.9, units: "statements", total: 1200, covered: growth(4) },
    ],
  };
}

export function report(...suites: Suite[]): Report {
  return { kind: "report", version: 1, made_unix_ms: 1_700_000_000_000, gordian: "0.1.0", suites };
}
