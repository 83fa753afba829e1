// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The report as `gordian report --json` writes it (docs/json.md has the meaning of each key; pairs
// are runs here), and what the page derives from it once.
import { expanded } from "./compact";

export interface Place {
  file: string | null;
  line: number | null;
}

export interface Outcome extends Place {
  outcome: string;
  message: string | null;
  signal_name: string | null;
  exit_code: number | null;
}

export interface Frame extends Place {
  function: string | null;
  module: string | null;
}

export interface ExcerptLine {
  line: number;
  text: string;
}

export interface Site extends Place {
  test: string;
  function: string | null;
  times: number;
  times_capped: boolean;
  stack: Frame[];
  excerpt: ExcerptLine[];
}

export interface Carrier {
  kind: string;
  name: string;
  type: string | null;
  old: string | null;
  new: string | null;
  declared: { file: string; line: number } | null;
  proved: boolean;
  write: Site | null;
  read: Site | null;
}

export interface Explanation {
  behind: string[];
  proved: boolean;
  proofs: number;
  changes: number;
  why_not: string | null;
  no_sites: string | null;
  carriers: Carrier[];
}

export interface RepairCheck {
  name: string;
  passed: boolean;
  runs: number;
  detail: string | null;
}

export interface Repair {
  verdict: string | null;
  strategy: string | null;
  summary: string | null;
  reason: string | null;
  diff: string | null;
  checks: RepairCheck[];
  gone_by: string | null;
  why_not: string | null;
  attempts: { strategy: string; verdict: string; summary: string; why: string | null }[];
  inapplicable: { strategy: string; why: string }[];
}

export interface Dependence {
  id: string;
  test: string;
  role: "victim" | "brittle" | "self_dependent";
  by: string[];
  witness: string[];
  expected: Outcome;
  alone: Outcome;
  witnessed: Outcome;
  observed: Outcome;
  observed_order: string[];
  confirmed: number;
  polluters: string[];
  state_setters: string[];
  polluters_complete: boolean;
  cleaners: string[];
  cleaners_complete: boolean;
  found_by: string | null;
  replay: string | null;
  explanation: Explanation | null;
  repair: Repair | null;
}

export interface Test extends Place {
  name: string;
  disabled: boolean;
}

export interface Run {
  id: string;
  isolation: string;
  wall_ns: number;
  outcomes: (string | null)[];
  duration_ns: (number | null)[];
}

/** A run of the suite in any order, newest first. */
export interface PastRun {
  id: string;
  order: string;
  isolation: string;
  started_unix_ms: number;
  wall_ns: number;
  end: string;
  tests: number;
  failed: number;
}

export interface Phase {
  algorithm: string;
  orders: number;
  tests_run: number;
  found: number;
  seconds: number;
  finished: boolean;
}

export interface DataDependence {
  reader: string;
  writer: string;
  states: number[];
  verdict: string;
}

export interface DataFlow {
  source: string;
  backwards: boolean;
  states: { kind: string; name: string }[];
  dependences: DataDependence[];
}

export interface Pairs {
  tests: string[];
  /** By the place of the first test: places and lengths of runs of second ones. */
  covered: Map<number, number[]>;
  changed: [number, number][];
}

/** How quickly an order covers: units after the first test, the second, ... of all it covers. */
export interface Curve {
  technique: string;
  units: string;
  rate: number;
  total: number;
  covered: number[];
}

export interface Suite {
  suite: { binary: string; framework: string; framework_version: string | null; tests: number };
  ended_unix_ms: number;
  verdict: string;
  explored: string[];
  search: {
    algorithm: string;
    orders: number;
    tests_run: number;
    seconds: number;
    complete_k: number;
    pairs_total: number;
    pairs_covered: number;
    out_of_budget: boolean;
    nothing_searched?: boolean;
    unseen_orders?: { order: string[]; why: string }[];
    unseen_total?: number;
    budget_seconds: number | null;
    isolation: string;
    private_fs: boolean;
    phases: Phase[];
  };
  tests: Test[];
  runs: Run[];
  dependences: Dependence[];
  nondeterministic: { test: string; runs: number; differ: number; usual: Outcome; other: Outcome }[];
  declared: { test: string; on: string[]; needed: boolean }[];
  left_out: { test: string; why: string }[];
  notices: { level: string; text: string }[];
  data_flows: DataFlow[];
  pairs: Pairs | null;
  history: PastRun[];
  curves: Curve[];
}

export interface Report {
  kind: string;
  version: number;
  made_unix_ms: number;
  gordian: string;
  suites: Suite[];
}

export const notExplained = "not explained";

/** What carries a dependence, for grouping; one word where nothing is known. */
export function carrierOf(dependence: Dependence): string {
  return dependence.explanation?.carriers[0]?.name ?? notExplained;
}

/** The tests that change or give the result, each by itself; the witness's where none is enough. */
export function partnersOf(d: Dependence): string[] {
  const singles = d.role === "brittle" ? d.state_setters : d.polluters;
  return (singles.length > 0 ? singles : d.by).filter((test) => test !== d.test);
}

export function partnerRole(d: Dependence): "state_setter" | "polluter" {
  return d.role === "brittle" ? "state_setter" : "polluter";
}

export function isRepaired(d: Dependence): boolean {
  return d.repair?.verdict === "verified" || !!d.repair?.gone_by;
}

/** Dependences by what carries them, the largest group first; what is not explained comes last. */
export function byCarrier(dependences: Dependence[]): Map<string, Dependence[]> {
  const groups = new Map<string, Dependence[]>();
  for (const d of dependences) {
    const own = groups.get(carrierOf(d));
    if (own) own.push(d);
    else groups.set(carrierOf(d), [d]);
  }
  const weight = ([name, own]: [string, Dependence[]]) => (name === notExplained ? -1 : own.length);
  return new Map([...groups].sort((a, b) => weight(b) - weight(a)));
}

/** All roles that a test plays in the dependences of its suite. */
export function rolesOf(suite: Suite): Map<string, Set<string>> {
  const roles = new Map<string, Set<string>>();
  const add = (test: string, role: string) => {
    if (!roles.has(test)) roles.set(test, new Set());
    roles.get(test)!.add(role);
  };
  for (const d of suite.dependences) {
    add(d.test, d.role);
    for (const test of partnersOf(d)) add(test, partnerRole(d));
    for (const test of d.cleaners) add(test, "cleaner");
  }
  return roles;
}

/** The cheapest first. */
const isolations = ["none", "snapshot", "fork", "process"];

/** The embedded report. Throws with a sentence for the reader when there is none. */
export function readReport(): Report {
  const text = document.getElementById("gordian-report")?.textContent ?? "";
  const report = JSON.parse(text);
  if (report?.kind !== "report") throw new Error("This page holds no report.");
  if (report.version !== 1) throw new Error(`This page does not know reports of version ${report.version}.`);
  for (const suite of report.suites as Suite[]) {
    suite.runs.sort((a, b) => isolations.indexOf(a.isolation) - isolations.indexOf(b.isolation));
  }
  return expanded(report as Report);
}
