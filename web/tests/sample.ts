// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Pages to look at: the built page with made-up reports in it.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Dependence, Outcome, Report, Suite } from "../src/model";

const page = process.env.GORDIAN_PAGE ?? "dist/index.html";

/** Writes a page with this report and gives its address. */
export function pageWith(report: unknown): string {
  const text = JSON.stringify(report).replace(/[<>&]/g, (c) => "\\u00" + c.charCodeAt(0).toString(16));
  const file = join(mkdtempSync(join(tmpdir(), "gordian-page-")), "report.html");
  writeFileSync(file, readFileSync(page, "utf8").replace('"GORDIAN_REPORT"', () => text));
  return pathToFileURL(file).href;
}

export function outcome(word: string, message: string | null = null): Outcome {
  return { outcome: word, file: message ? "tests/cart_test.cc" : null, line: message ? 41 : null, message, signal_name: null, exit_code: null };
}

function site(test: string, line: number) {
  const excerpt = [-1, 0, 1].map((by) => ({ line: line + by, text: by === 0 ? "  verbosity_ = level;" : "" }));
  return { test, file: "src/settings.cc", line, function: "Settings::set_verbosity(int)", times: 2, times_capped: false, excerpt, stack: [{ function: "Settings::set_verbosity(int)", file: "src/settings.cc", line, module: "t" }, { function: "main", file: "main.cc", line: 9, module: "t" }] };
}

export function victim(id: number, test: string, polluter: string, carrier: string): Dependence {
  return {
    id: `D${id}`, test, role: "victim", by: [polluter], witness: [polluter, test],
    expected: outcome("pass"), alone: outcome("pass"), witnessed: outcome("fail", "Which is: 3"), observed: outcome("fail", "Which is: 3"),
    observed_order: [polluter, test], confirmed: 3, polluters: [polluter], state_setters: [], polluters_complete: true,
    cleaners: [], cleaners_complete: true, found_by: "reversal", replay: `gordian replay D${id}`,
    explanation: { proved: true, proofs: 3, why_not: null, carriers: [{ kind: "variable", name: carrier, type: "int", old: "1", new: "3", declared: null, proved: true, write: site(polluter, 17), read: site(test, 12) }] },
    repair: { verdict: "verified", strategy: "restore", summary: "puts it back", reason: null, diff: "--- a/t.cc\n+++ b/t.cc\n@@ -1 +1,2 @@\n+  ScopedRestore<int> restore(x);\n", checks: [{ name: "alone", passed: true, runs: 3, detail: null }], gone_by: null, why_not: null },
  };
}

/** Tests "S<n>.T<n>"; every third one has a victim behind it. */
export function suite(tests: number, dependences: number, name = (i: number) => `Suite${Math.floor(i / 20)}.Test${i}`): Suite {
  const names = Array.from({ length: tests }, (_, i) => name(i));
  const bytes = Buffer.alloc(Math.ceil(tests / 8), 0xff).toString("base64");
  return {
    suite: { binary: "/build/cart_test", framework: "gtest", framework_version: "1.12.1", tests },
    ended_unix_ms: 1_700_000_000_000, verdict: `${dependences} dependent tests among ${tests}.`, explored: ["Complete for two tests."],
    search: { algorithm: "auto", orders: 900, tests_run: 2000, seconds: 1.5, complete_k: 2, pairs_total: tests * (tests - 1), pairs_covered: tests * (tests - 1), out_of_budget: false, phases: [{ algorithm: "isolation", orders: tests, tests_run: tests, found: 0, seconds: 0.5, finished: true }, { algorithm: "pairs", orders: 800, tests_run: 1600, found: dependences, seconds: 1, finished: false }] },
    tests: names.map((test, i) => ({ name: test, file: "tests/cart_test.cc", line: i + 1, disabled: false })),
    runs: ["none", "snapshot"].map((isolation, k) => ({ id: `R${k + 1}`, isolation, wall_ns: 1e7 * (k + 1), outcomes: names.map(() => "pass"), duration_ns: names.map((_, i) => 1000 + i) })),
    dependences: Array.from({ length: dependences }, (_, i) => victim(i + 1, names[(3 * i + 1) % tests], names[(3 * i) % tests], `g_state_${i % 40}`)),
    nondeterministic: [{ test: names[tests - 1], runs: 10, differ: 3 }], declared: [], left_out: [], notices: [], data_flows: [],
    pairs: { tests: names, covered: names.map(() => bytes), changed: [[0, 1]] },
    curves: [{ technique: "T4", units: "statements", total: 100, covered: [60, 90, 100] }],
  };
}

export function report(...suites: Suite[]): Report {
  return { kind: "report", version: 1, made_unix_ms: 1_700_000_000_000, gordian: "0.1.0", suites };
}
