// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The short forms in which the program puts long lists into a page (report/page/report_json.cc), and
// the report made whole again. A document as `gordian report --json` writes it goes through unchanged.
import type { Pairs, Report, Suite, Test } from "./model";

interface TestColumns {
  names: string[];
  files: string[];
  file: number[]; // index or -1, how many tests, ...
  line: number[];
  disabled: number[];
}

interface PairRows {
  covered: [number, ...(number[] | [string])][];
  changed: [number, number][];
}

/** Pairs as docs/json.md has them. */
interface PublicPairs {
  tests: string[];
  covered: string[];
  changed: [number, number][];
}

interface TestsAt {
  tests_at: number[]; // first place, how many (negative: downwards), ...
}

function tests(columns: TestColumns | Test[]): Test[] {
  if (Array.isArray(columns)) return columns;
  const disabled = new Set(columns.disabled);
  const { names, files, file, line } = columns;
  let run = 0,
    left = file[1] ?? 0;
  return names.map((name, place) => {
    for (; left === 0; left = file[run + 1]) run += 2;
    --left;
    return {
      name,
      file: files[file[run]] ?? null,
      line: line[place] || null,
      disabled: disabled.has(place),
    };
  });
}

/** First places and lengths of what is set. */
function runsOfBits(text: string, count: number): number[] {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const runs: number[] = [];
  for (let at = 0, before = false; at < count; ++at) {
    const set = ((bytes[at >> 3] >> (at & 7)) & 1) === 1;
    if (set && before) ++runs[runs.length - 1];
    else if (set) runs.push(at, 1);
    before = set;
  }
  return runs;
}

function pairs(told: PairRows | PublicPairs | null, names: string[]): Pairs | null {
  if (!told) return null;
  const covered = new Map<number, number[]>();
  const keep = (place: number, runs: number[]) => runs.length > 0 && covered.set(place, runs);
  if ("tests" in told) told.covered.forEach((bits, place) => keep(place, runsOfBits(bits, names.length)));
  else
    for (const [place, ...runs] of told.covered)
      keep(place, typeof runs[0] === "string" ? runsOfBits(runs[0], names.length) : (runs as number[]));
  return { tests: "tests" in told ? told.tests : names, covered, changed: told.changed };
}

function namesAt(runs: number[], names: string[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < runs.length; i += 2) {
    const step = Math.sign(runs[i + 1]);
    for (let k = 0; k !== runs[i + 1]; k += step) found.push(names[runs[i] + k]);
  }
  return found;
}

/** Lists of tests with their names, wherever they stand. */
function withNames(value: unknown, names: string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("tests_at" in value) return namesAt((value as TestsAt).tests_at, names);
  const parts = value as Record<string, unknown>;
  for (const key of Object.keys(parts)) parts[key] = withNames(parts[key], names);
  return value;
}

/** Makes the document whole, in its place. */
export function expanded(report: Report): Report {
  report.suites = report.suites.map((told) => {
    const { tests: columns, pairs: rows, ...others } = told as unknown as Record<string, unknown>;
    const all = tests(columns as TestColumns | Test[]),
      names = all.map((test) => test.name);
    const rest = withNames(others, names) as Omit<Suite, "tests" | "pairs">;
    return { ...rest, tests: all, pairs: pairs(rows as PairRows | PublicPairs | null, names) };
  });
  return report;
}
