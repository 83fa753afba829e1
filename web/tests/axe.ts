// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What axe has to say against a page. axe-core itself, because its wrapper for Playwright wants a
// newer Node.js than Debian 12 has.
import type { Page } from "@playwright/test";
import axe, { type AxeResults } from "axe-core";

export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  return found.violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.html).join(" ")}`);
}
