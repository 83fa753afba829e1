// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// For everyone, everywhere: both themes, small and large screens, paper, and big suites.
import { violations } from "./axe";
import { expect, expectNoOverflow, graphDrawn, test } from "./open";
import { brittle, report, suite } from "./sample";

function mixed() {
  const content = suite(60, 5);
  content.dependences.push(brittle(6, "Suite2.Test50", "Suite2.Test48"));
  content.left_out = [{ test: "Suite2.Test59", why: "it crashes alone" }];
  return report(content, suite(4, 0));
}

for (const scheme of ["light", "dark"] as const) {
  for (const width of [390, 1600]) {
    test(`is accessible: ${scheme}, ${width} pixels`, async ({ page, reader }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await reader.open(mixed());
      await graphDrawn(page);
      for (const id of ["#D1", "#D6"]) await page.evaluate((one) => (location.hash = one), id);
      await expectNoOverflow(page);
      expect(await violations(page)).toEqual([]);
    });
  }
}

test("nothing sticks out, whatever the width", async ({ page, reader }) => {
  await reader.open(mixed());
  for (const width of [320, 390, 560, 760, 1024, 1180, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoOverflow(page);
  }
});

test("the first key stop skips to the report", async ({ reader }) => {
  const page = await reader.open(mixed());
  await page.keyboard.press("Tab");
  await expect(page.locator(".skip")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("on paper: cards are open, controls gone, colours light", async ({ page, reader }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await reader.open(mixed());
  await graphDrawn(page);
  const file = await page.pdf({ format: "A4" });
  expect(file.subarray(0, 5).toString()).toBe("%PDF-");
  await expect(page.locator(".card[open]")).toHaveCount(6);
  await expect(page.locator(".graph-paper")).toHaveAttribute("src", /^data:image\/png;base64,.{1000}/);
  await expect(page.locator("#D1 .stack[open]")).toHaveCount(2);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".filter")).toBeHidden();
  await expect(page.locator(".graph-paper")).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(26, 32, 41)");
});

test("3,000 tests and 1,000 dependences stay usable", async ({ reader }) => {
  const page = await reader.open(report(suite(3000, 1000)));
  const opened = await page.evaluate(() => performance.getEntriesByName("gordian-ready")[0].startTime);
  await expect(page.locator(".card")).toHaveCount(50);
  await expect(page.locator("#tests tbody tr")).toHaveCount(100);
  const began = Date.now();
  await graphDrawn(page);
  console.log(
    `3,000 tests, 1,000 dependences: ready ${Math.round(opened)} ms after the start, graph ${Date.now() - began} ms later`,
  );
  await expect(page.locator(".panel")).toContainText(
    "2,000 tests are drawn; the other 1,000 have no arrows.",
  );
  await page.locator("#filter-text").fill("Test2998");
  await expect(page.locator(".card")).toHaveAttribute("id", "D1000");
  await expect(page.locator("#tests tbody tr")).toHaveCount(1);
  await page.locator(".heat").scrollIntoViewIfNeeded();
  await page.locator(".heat").press("ArrowDown");
  await expect(page.locator("#pairs [role=status]")).toContainText(
    "Suite0.Test1, then Suite0.Test0: no change",
  );
  await expectNoOverflow(page);
});
