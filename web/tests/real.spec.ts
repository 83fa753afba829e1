// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Pages as the program itself has written them (tests/e2e/page.py makes them), all in one folder.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { violations } from "./axe";
import { expect, test } from "./open";

const folder = process.env.GORDIAN_REPORTS;
const pages = folder ? readdirSync(folder).filter((name) => name.endsWith(".html")) : [];

for (const name of pages) {
  test(`a page of the program: ${name}`, async ({ reader }) => {
    const page = await reader.openAt(pathToFileURL(join(folder!, name)).href);
    const known = await page.evaluate(
      () => JSON.parse(document.getElementById("gordian-report")!.textContent!).suites[0],
    );
    await expect(page.locator(".verdict")).toContainText(known.verdict);
    await expect(page.locator(".card")).toHaveCount(Math.min(50, known.dependences.length));
    for (const d of known.dependences.slice(0, 5)) {
      await page.evaluate((id) => (location.hash = `#${id}`), d.id);
      await expect(page.locator(`#${d.id} .story`)).toContainText(d.test);
    }
    await expect(page.locator("#content")).not.toContainText(/undefined|NaN|\[object/);
    expect(await violations(page)).toEqual([]);
  });
}
