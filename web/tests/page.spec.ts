// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The page as a person uses it.
import { expect, test, type Page } from "@playwright/test";
import { violations } from "./axe";
import { pageWith, report, suite, victim } from "./sample";

/** Opens a report; whatever the page complains about, or asks the network for, fails the test. */
async function open(page: Page, content: unknown): Promise<string[]> {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => /^https?:/.test(request.url()) && complaints.push(`asked for ${request.url()}`));
  await page.goto(pageWith(content));
  return complaints;
}

test("shows victim, polluter, carrier and patch", async ({ page }) => {
  const complaints = await open(page, report(suite(12, 2)));
  const card = page.locator("#D1");
  await expect(card).toHaveAttribute("open", "");
  await expect(card).toContainText("Suite0.Test1");
  await expect(card).toContainText("fails after Suite0.Test0");
  await expect(card.locator(".carrier")).toHaveText("g_state_0");
  await expect(card.locator(".source .hit").first()).toContainText("verbosity_ = level;");
  await expect(card.locator(".diff .added").last()).toContainText("ScopedRestore");
  expect(complaints).toEqual([]);
});

test("search, role and carrier filter the cards", async ({ page }) => {
  const complaints = await open(page, report(suite(60, 10)));
  await page.keyboard.press("/");
  await page.keyboard.type("Test4");
  await expect(page.locator(".card:visible")).toHaveCount(1);
  await expect(page.locator(".card:visible")).toHaveAttribute("id", "D2");
  await page.locator("#filter-text").fill("");
  await page.locator("#filter-carrier").selectOption("g_state_3");
  await expect(page.locator(".card:visible")).toHaveCount(1);
  await expect(page.locator("#dependences [role=status]")).toHaveText("1 of 10 dependences shown");
  expect(complaints).toEqual([]);
});

test("a click in the graph opens the card", async ({ page }) => {
  const complaints = await open(page, report(suite(12, 1)));
  const canvas = page.locator(".graph-canvas");
  await canvas.scrollIntoViewIfNeeded();
  await expect(canvas.locator("canvas").first()).toBeVisible();
  await page.locator("#D1 > summary").click();
  await expect(page.locator("#D1")).not.toHaveAttribute("open", "");
  await canvas.scrollIntoViewIfNeeded();
  const box = (await canvas.boundingBox())!;
  for (let x = 0.1; x < 0.9; x += 0.02) await page.mouse.click(box.x + box.width * x, box.y + box.height / 2);
  await expect(page.locator("#D1")).toHaveAttribute("open", "");
  expect(complaints).toEqual([]);
});

test("names and messages cannot become markup", async ({ page }) => {
  const evil = '</script><img src=x onerror="document.title=1">';
  const content = suite(3, 0, (i) => `${evil}${i}`);
  content.dependences = [victim(1, `${evil}1`, `${evil}0`, evil)];
  const complaints = await open(page, report(content));
  await expect(page.locator("#D1 > summary")).toContainText(evil);
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.title()).toBe("Test dependence in cart_test");
  expect(complaints).toEqual([]);
});

test("a clean suite says so", async ({ page }) => {
  await open(page, report({ ...suite(5, 0), verdict: "No dependent test among 5." }));
  await expect(page.locator(".verdict")).toHaveClass(/good/);
  await expect(page.locator("#graph")).toHaveCount(0);
});

test("several suites: one is chosen", async ({ page }) => {
  const other = suite(7, 0);
  other.suite.binary = "/build/other_test";
  await open(page, report(suite(12, 2), other));
  await page.locator("#suite").selectOption("1");
  await expect(page.locator("h1")).toContainText("other_test");
});

test("a page without a report says so", async ({ page }) => {
  await open(page, { kind: "other" });
  await expect(page.locator("main")).toContainText("This page holds no report.");
});

test("3,000 tests and 1,000 dependences stay usable", async ({ page }) => {
  const complaints = await open(page, report(suite(3000, 1000)));
  await expect(page.locator(".card")).toHaveCount(1000);
  await expect(page.locator("#tests tbody tr")).toHaveCount(100);
  await page.locator("#filter-text").fill("Test2998");
  await expect(page.locator("#tests tbody tr")).toHaveCount(1);
  await page.locator(".graph-canvas").scrollIntoViewIfNeeded();
  await expect(page.locator(".graph-canvas canvas").first()).toBeVisible();
  await page.locator(".heat").scrollIntoViewIfNeeded();
  expect(complaints).toEqual([]);
});

for (const scheme of ["light", "dark"] as const) {
  for (const width of [390, 820, 1400]) {
    test(`is accessible: ${scheme}, ${width} pixels`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await open(page, report(suite(40, 5)));
      await page.locator("#D1 > summary").click();
      expect(await violations(page)).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
      expect(overflow, "nothing sticks out to the right").toBe(false);
      if (process.env.GORDIAN_SHOTS) await page.screenshot({ path: `${process.env.GORDIAN_SHOTS}/${scheme}-${width}.png`, fullPage: true });
    });
  }
}
