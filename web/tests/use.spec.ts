// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The page as a person uses it.
import type { Page } from "@playwright/test";
import { expect, graphDrawn, placeInGraph, test } from "./open";
import { brittle, report, suite } from "./sample";

test("says in plain words what was found and what was not looked at", async ({ reader }) => {
  const content = suite(12, 2);
  Object.assign(content.search, { complete_k: 1, pairs_covered: 100, out_of_budget: true });
  content.left_out = [{ test: "Suite0.Test11", why: "it crashes alone" }];
  const page = await reader.open(report(content));
  await expect(page.locator(".headline")).toHaveText(
    "2 of 12 tests give another result when the order changes.",
  );
  const summary = page.locator("#summary");
  await expect(summary).toContainText("100 of 132 ordered pairs were run.");
  await expect(summary).toContainText("32 ordered pairs of tests (24 %) were not run.");
  await expect(summary).toContainText("The budget of 60 s ended before the search did.");
  await expect(summary).toContainText("1 test was left out");
  await expect(page.locator("#asides")).toContainText("it crashes alone");
});

test("a card has witness, outcomes, carrier, both lines, stacks, proof, patch and commands", async ({
  reader,
}) => {
  const page = await reader.open(report(suite(12, 2)));
  const card = page.locator("#D1");
  await expect(card).toHaveAttribute("open", "");
  await expect(card.locator(".story")).toContainText(
    "Suite0.Test1 passes alone. It fails when Suite0.Test0 has run before it.",
  );
  await expect(card.locator(".lane").nth(1)).toHaveText(
    /After another\s*Suite0.Test0\s*→\s*Suite0.Test1\s*fail/,
  );
  await expect(card.locator(".carrier")).toHaveText("g_state_0");
  await expect(card.locator(".values")).toHaveText(/before1→left behind3/);
  await expect(card.locator(".site")).toHaveCount(2);
  await expect(card.locator(".source .hit").first()).toContainText("17    verbosity_ = level;");
  await card.locator(".stack summary").first().click();
  await expect(card.locator(".stack li").nth(1)).toContainText("SettingsTest_CanBeLoud_Test::TestBody()");
  await expect(card.locator(".proof")).toContainText("3 runs, always the same");
  await expect(card.locator(".diff .added").first()).toContainText("ScopedRestore");
  await expect(card.locator(".diff .removed").first()).toContainText("settings.reset();");
  await expect(card.getByText("// Puts things back.")).toBeHidden();
  await card.getByText("New file tests/gordian_guards.h, 2 lines").click();
  await expect(card.getByText("// Puts things back.")).toBeVisible();
  await expect(card.locator(".checks li")).toHaveCount(5);
  await expect(card.locator(".command code").last()).toHaveText("gordian replay D1 --debugger gdb --at read");
});

test("a command is copied by its button", async ({ reader, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await reader.open(report(suite(12, 2)));
  await page.getByRole("button", { name: "Copy gordian fix D1 --apply" }).click();
  await expect(page.getByRole("button", { name: "Copy gordian fix D1 --apply" })).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("gordian fix D1 --apply");
});

test("the summary says how all verified patches are applied at once", async ({ reader }) => {
  const page = await reader.open(report(suite(12, 2)));
  const steps = page.locator("#summary .steps");
  await expect(steps).toContainText("Put the verified patches into your sources");
  await expect(steps.getByText("gordian fix --apply", { exact: true })).toBeVisible();
});

test("search, role, carrier and state filter cards and tests", async ({ reader }) => {
  const content = suite(60, 10);
  content.dependences.push(brittle(11, "Suite2.Test50", "Suite2.Test48"));
  const page = await reader.open(report(content));
  await page.keyboard.press("/");
  await page.keyboard.type("test4");
  await expect(page.locator(".card")).toHaveCount(2); // Test4, and Test50 behind Test48
  await expect(page.locator(".shown")).toHaveText("2 of 11 dependences");
  await expect(page.locator("#tests tbody tr")).toHaveCount(11);
  await page.keyboard.press("Escape");
  await expect(page.locator(".card")).toHaveCount(11);
  await page.locator("#filter-role").selectOption({ label: "brittle" });
  await expect(page.locator(".card")).toHaveAttribute("id", "D11");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.locator("#filter-carrier").selectOption({ label: "g_state_3" });
  await expect(page.locator(".card")).toHaveAttribute("id", "D4");
  await page.locator("#filter-carrier").selectOption({ index: 0 });
  await page.locator("#filter-state").selectOption({ label: "without a verified patch" });
  await expect(page.locator(".card")).toHaveAttribute("id", "D11");
  await page.locator("#filter-text").fill("no such test");
  await expect(page.locator("#dependences")).toContainText("No dependence matches the filter.");
});

test("from the graph to a test to its card, by mouse", async ({ reader }) => {
  const page = await reader.open(report(suite(60, 10)));
  await graphDrawn(page);
  const at = await placeInGraph(page, "Suite0.Test3");
  await page.mouse.click(at.x, at.y);
  const panel = page.locator(".panel");
  await expect(panel.locator("h3")).toHaveText("Suite0.Test3");
  await expect(panel).toContainText("Changes the result of");
  await panel.getByRole("button", { name: "Card D2" }).click();
  await expect(page.locator("#D2")).toHaveAttribute("open", "");
  await expect(page.locator("#D2 > summary")).toBeFocused();
});

test("from the graph to a test to its card, by keyboard", async ({ reader }) => {
  const page = await reader.open(report(suite(60, 10)));
  await graphDrawn(page);
  await page.locator(".graph-canvas").focus();
  const zoom = () =>
    page.locator(".graph-canvas").evaluate((container) => (container as any)._cyreg.cy.zoom());
  const before = await zoom();
  await page.keyboard.press("+");
  expect(await zoom()).toBeGreaterThan(before);
  await page.keyboard.press("0");
  expect(await zoom()).toBeCloseTo(before);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // the first carrier of the list
  await expect(page.locator(".panel h3")).toHaveText("g_state_0");
  await page.getByRole("button", { name: "Suite0.Test1" }).press("Enter");
  await page.getByRole("button", { name: "Card D1", exact: true }).press("Enter");
  await expect(page.locator("#D1")).toHaveAttribute("open", "");
});

test("the graph shows cleaners and data dependences when asked", async ({ reader }) => {
  const content = suite(30, 1);
  content.dependences[0].cleaners = ["Suite0.Test9"];
  const states = [{ kind: "variable", name: "g_log" }];
  content.data_flows = [
    {
      source: "watch",
      backwards: false,
      states,
      dependences: [
        { reader: "Suite1.Test21", writer: "Suite1.Test20", states: [0], verdict: "not_manifest" },
      ],
    },
  ];
  const page = await reader.open(report(content));
  await graphDrawn(page);
  const edges = (kind: string) =>
    page
      .locator(".graph-canvas")
      .evaluate((container, wanted) => (container as any)._cyreg.cy.edges(`.${wanted}`).length, kind);
  expect([await edges("manifest"), await edges("cleans"), await edges("data")]).toEqual([1, 1, 0]);
  await page.locator("#graph-cleaners").uncheck();
  await page.locator("#graph-data").check();
  expect([await edges("manifest"), await edges("cleans"), await edges("data")]).toEqual([1, 0, 1]);
  await expect(page.locator(".panel")).toContainText("g_log");
});

test("the filter fades what it does not name in the graph", async ({ reader }) => {
  const page = await reader.open(report(suite(60, 10)));
  await graphDrawn(page);
  await page.locator("#filter-carrier").selectOption({ label: "g_state_3" });
  const faded = await page
    .locator(".graph-canvas")
    .evaluate((container) => (container as any)._cyreg.cy.edges(".faded").length);
  expect(faded).toBe(9);
});

test("an address with a card's id opens that card", async ({ reader }) => {
  const page = await reader.open(report(suite(300, 100)));
  await expect(page.locator(".card")).toHaveCount(50);
  await page.evaluate(() => (location.hash = "#D97"));
  await expect(page.locator("#D97")).toHaveAttribute("open", "");
  await expect(page.locator("#D97 .story")).toBeInViewport();
});

test("pairs can be read cell by cell", async ({ reader }) => {
  const page = await reader.open(report(suite(12, 2)));
  await expect(page.locator(".heat-table td.changed")).toHaveCount(2);
  await expect(page.locator(".heat-table td.changed").first()).toHaveAttribute(
    "title",
    "Suite0.Test0, then Suite0.Test1: changes the second's result",
  );
});

test("pairs of many tests can be read by keyboard", async ({ reader }) => {
  const page = await reader.open(report(suite(60, 2)));
  const map = page.locator(".heat");
  await map.scrollIntoViewIfNeeded();
  await map.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("#pairs [role=status]")).toHaveText(
    "Suite0.Test0, then Suite0.Test1: changes the second's result",
  );
});

test("tests are sorted by duration, and the price of isolation is told", async ({ reader }) => {
  const page = await reader.open(report(suite(30, 0)));
  const sort = page.getByRole("button", { name: "time, none" });
  await sort.click();
  await expect(page.locator("th", { has: sort })).toHaveAttribute("aria-sort", "descending");
  await expect(page.locator("#tests tbody tr").first()).toContainText("Suite1.Test29");
  await expect(page.locator("#isolation tbody tr").nth(1)).toContainText("+333 µs");
});

test("orders run and prioritised orders are drawn", async ({ reader }) => {
  const page = await reader.open(report(suite(30, 1)));
  await expect(page.locator("#timeline .bar.found")).toHaveCount(1);
  await expect(page.locator("#timeline")).toContainText("random:2");
  await expect(page.locator("#timeline")).toContainText("1 failed");
  await expect(page.locator("#curves polyline")).toHaveCount(2);
  await expect(page.locator(".curves")).toHaveAttribute("aria-label", /T4 reaches half after 3 tests/);
});

test("several suites: one is chosen", async ({ reader }) => {
  const other = suite(7, 0);
  other.suite.binary = "/build/other_test";
  const page = await reader.open(report(suite(12, 2), other));
  await page.locator("#suite").selectOption("1");
  await expect(page.locator("h1")).toContainText("other_test");
  await expect(page.locator(".headline")).toHaveText("No test was seen to depend on the order.");
});

test("the theme can be changed, and the graph follows", async ({ reader, page: before }) => {
  await before.emulateMedia({ colorScheme: "light" });
  const page = await reader.open(report(suite(12, 2)));
  await graphDrawn(page);
  const colour = () =>
    page
      .locator(".graph-canvas")
      .evaluate((container) => (container as any)._cyreg.cy.nodes(".victim")[0].style("background-color"));
  const light = await colour();
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.getByRole("button", { name: "Light theme" })).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(14, 18, 24)");
  expect(await colour()).not.toBe(light);
});

/** How far the graph sticks out of its frame to the left and to the right, in pixels; below 0: not. */
async function graphOverflow(page: Page): Promise<number> {
  return page.locator(".graph-canvas").evaluate((container) => {
    const cy = (container as any)._cyreg.cy;
    const all = cy.elements().renderedBoundingBox();
    return Math.max(-all.x1, all.x2 - container.clientWidth);
  });
}

test("the graph fits its frame, also after the window has changed", async ({ page, reader }) => {
  const long = (i: number) => `SettingsTest.VerbosityCanBeRaisedAndLowered${i}`;
  await page.setViewportSize({ width: 1280, height: 844 });
  await reader.open(report(suite(12, 3, long)));
  await graphDrawn(page);
  for (const width of [390, 844, 1600, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => graphOverflow(page), { message: `${width} pixels` }).toBeLessThanOrEqual(0);
    await graphDrawn(page);
  }
  await page.locator(".graph-canvas").press("ArrowLeft");
  await page.locator(".graph-canvas").press("ArrowLeft");
  const place = await placeInGraph(page, long(0));
  await page.setViewportSize({ width: 500, height: 844 });
  await page.waitForTimeout(300);
  const after = await placeInGraph(page, long(0));
  expect(after.x, "what the reader has moved stays where it is").toBeCloseTo(place.x, 0);
});

/** The short forms of report/page/report_json.cc. */
test("a page of 20,000 tests is read from its short forms", async ({ reader }) => {
  const many = 20_000;
  const content: any = suite(12, 1);
  const names = Array.from({ length: many }, (_, i) => `Suite${Math.floor(i / 100)}.Test${i}`);
  content.dependences[0].test = names[1];
  content.dependences[0].witness = [names[0], names[1]];
  content.dependences[0].cleaners = { tests_at: [30, -20, 3, 1] };
  content.runs = [];
  content.tests = {
    names,
    files: ["tests/first_test.cc", "tests/second_test.cc"],
    file: [0, 100, -1, 100, 1, many - 200],
    line: names.map((_, i) => (i === 0 ? 0 : i)),
    disabled: [19_999],
  };
  const bits = Buffer.alloc(many / 8);
  bits[0] = 0b10; // only the second test
  content.pairs = {
    covered: [
      [0, 1, 19_999],
      [1, bits.toString("base64")],
    ],
    changed: [[0, 1]],
  };
  const page = await reader.open(report(content));
  await expect(page.locator("#tests [role=status]")).toHaveText("1 to 100 of 20,000 tests");
  await page.keyboard.press("/");
  await page.keyboard.type("Test1999");
  await expect(page.locator("#tests tbody tr")).toHaveCount(11);
  await expect(page.locator("#tests tbody tr").last()).toContainText("disabled");
  await expect(page.locator("#tests tbody tr").last()).toContainText("tests/second_test.cc:19999");
  await page.keyboard.press("Escape");
  const map = page.locator(".heat");
  await map.scrollIntoViewIfNeeded();
  await map.focus();
  const told = page.locator("#pairs [role=status]");
  await page.keyboard.press("ArrowRight");
  await expect(told).toHaveText(`${names[0]}, then ${names[1]}: changes the second's result`);
  await page.keyboard.press("ArrowRight");
  await expect(told).toHaveText(`${names[0]}, then ${names[2]}: no change`);
  await page.keyboard.press("ArrowDown");
  await expect(told).toHaveText(`${names[1]}, then ${names[2]}: not run`);
  await page.keyboard.press("ArrowLeft");
  await expect(told).toHaveText(`${names[1]}, then ${names[1]}: no change`);
  await expect(page.locator("#D1")).toContainText(names[30]);
  await expect(page.locator("#D1")).toContainText(names[11]);
});
