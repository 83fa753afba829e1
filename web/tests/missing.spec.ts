// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is not known is said, with the command that finds it out: no empty boxes.
import { expect, test } from "./open";
import { repair, report, suite, victim } from "./sample";

test("a clean suite says so, and how much was looked at", async ({ reader }) => {
  const page = await reader.open(report(suite(5, 0)));
  await expect(page.locator(".verdict")).toHaveClass(/good/);
  await expect(page.locator("#summary")).toContainText(
    "A result that changes only after 2 or more particular tests together may have been missed.",
  );
  await expect(page.locator("#dependences .missing")).toContainText("None were found in what was explored.");
  await expect(page.locator("#graph .missing")).toContainText("There is nothing to draw");
});

test("finding nothing in a part is no good verdict", async ({ reader }) => {
  const content = suite(5, 0);
  Object.assign(content.search, { complete_k: 1, pairs_covered: 3 });
  const page = await reader.open(report(content));
  await expect(page.locator(".verdict")).toHaveClass(/warn/);
  await expect(page.locator(".steps")).toContainText("Search on where this search stopped");
});

test("no explanation, no patch, no runs, no pairs, no prioritisation", async ({ reader }) => {
  const content = suite(5, 0);
  content.dependences = [
    {
      ...victim(1, "Suite0.Test1", "Suite0.Test0", "x"),
      explanation: null,
      repair: null,
      replay: null,
      found_by: null,
    },
  ];
  Object.assign(content, { pairs: null, runs: [], history: [], curves: [] });
  content.search.phases = [];
  const page = await reader.open(report(content));
  await expect(page.locator("#D1")).toContainText("Nobody has looked for the state behind it yet");
  await expect(page.locator("#D1")).toContainText("gordian explain D1");
  await expect(page.locator("#D1")).toContainText("No patch was tried");
  await expect(page.locator("#pairs .missing")).toContainText("is not in the database");
  await expect(page.locator("#timeline .missing")).toHaveCount(2);
  await expect(page.locator("#isolation .missing")).toContainText("gordian run --isolate none");
  await expect(page.locator("#curves .missing")).toContainText("gordian prioritize");
  await expect(page.locator("#tests tbody tr").first()).toContainText("no run");
});

test("suspects, lines that were not found, and patches that failed", async ({ reader }) => {
  const content = suite(12, 4);
  const [first, second, third, fourth] = content.dependences;
  Object.assign(first.explanation!, { proved: false, why_not: "it cannot be put back" });
  Object.assign(first.explanation!.carriers[0], { proved: false, old: null, read: null });
  first.explanation!.carriers[0].write!.excerpt = [];
  Object.assign(first.repair!, {
    diff: null,
    verdict: null,
    strategy: null,
    why_not: "the witness fails with each of them",
  });
  Object.assign(second.explanation!, {
    carriers: [],
    proved: false,
    why_not: "nothing that we can read has changed",
  });
  Object.assign(second.repair!, { verdict: "partly" });
  second.repair!.checks[1] = { name: "random orders", passed: false, runs: 20, detail: "2 orders fail" };
  third.repair = { ...repair(), diff: null, verdict: null, gone_by: "D2" };
  Object.assign(fourth.explanation!, { no_sites: "tracing is forbidden here", behind: [fourth.test] });
  Object.assign(fourth.explanation!.carriers[0], { write: null, read: null });
  const page = await reader.open(report(content));
  for (const id of ["D1", "D2", "D3", "D4"]) await page.evaluate((one) => (location.hash = one), `#${id}`);
  const text = (id: string, part: string) => expect(page.locator(`#${id}`)).toContainText(part);
  await text("D1", "suspected");
  await text("D1", "it cannot be put back");
  await text("D1", "The source was not found, or has changed since the binary was built.");
  await text("D1", "The line is not known.");
  await text("D1", "No patch passed its checks: the witness fails with each of them");
  await text("D2", "No carrier was found: nothing that we can read has changed");
  await text("D2", "partly");
  await text("D2", "Failed: random orders (20 runs): 2 orders fail");
  await text("D3", "The patch for D2 repairs this one too.");
  await text("D4", "Lines could not be looked for: tracing is forbidden here");
  await text("D4", `Seen in ${[fourth.test, ...fourth.witness].join(", ")}: ${fourth.test} first`);
});

test("a page without a report says so", async ({ reader }) => {
  const page = await reader.open({ kind: "other" });
  await expect(page.locator("main")).toContainText("This page holds no report.");
});

test("a report of another version says so", async ({ reader }) => {
  const page = await reader.open({ kind: "report", version: 9 });
  await expect(page.locator("main")).toContainText("does not know reports of version 9");
});
