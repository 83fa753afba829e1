// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A browser page that must not complain: errors on the console, exceptions and requests of any kind
// fail the test that made them.
import { expect, test as base, type Page } from "@playwright/test";
import { pageWith } from "./sample";

interface Reader {
  /** Opens a page with this report. */
  open(report: unknown): Promise<Page>;
  /** Opens a page that is there already. */
  openAt(address: string): Promise<Page>;
}

export const test = base.extend<{ reader: Reader }>({
  reader: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
    });
    const openAt = async (address: string) => {
      await page.goto(address);
      return page;
    };
    await use({ openAt, open: (report) => openAt(pageWith(report)) });
    expect(complaints).toEqual([]);
  },
});

export { expect };

/** Waits until the graph is painted. */
export async function graphDrawn(page: Page): Promise<void> {
  await page.locator(".graph-canvas").scrollIntoViewIfNeeded();
  await expect(page.locator(".graph-canvas")).toHaveAttribute("data-state", "drawn");
}

/** Where a test is painted in the graph, by Cytoscape's own account. */
export async function placeInGraph(page: Page, test: string): Promise<{ x: number; y: number }> {
  return page.locator(".graph-canvas").evaluate((container, wanted) => {
    const cy = (container as any)._cyreg.cy;
    const at = cy
      .nodes()
      .filter((node: any) => node.data("test") === wanted)[0]
      .renderedPosition();
    const corner = container.getBoundingClientRect();
    return { x: corner.left + at.x, y: corner.top + at.y };
  }, test);
}

/** Nothing may stick out to the right. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const by = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(by, "pixels that stick out to the right").toBeLessThanOrEqual(0);
}
