// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Names, messages, paths and diffs come from strangers. None becomes markup, runs, or looks like
// something else.
import { expect, graphDrawn, test } from "./open";
import { report, suite, victim } from "./sample";

const attacks = {
  "the end of the script": "</script><script>document.title='owned'</script>",
  "a picture with a handler": "<img src=x onerror=\"document.title='owned'\">",
  "an entity": "&lt;b&gt;&amp;",
  "a line separator": "line\u2028separator\u2029",
  "a reordering mark": "safe\u202etxt.exe\u2066",
  "an invisible space": "a\u200bb\ufeff",
  "control characters": "bell\u0007 escape\u001b[31m",
  quotes: "\"'`${title}",
};

for (const [what, evil] of Object.entries(attacks)) {
  test(`${what} stays text`, async ({ reader }) => {
    const content = suite(3, 0, (i) => `${evil}${i}`);
    const d = victim(1, `${evil}1`, `${evil}0`, evil);
    d.witnessed.message = d.replay = evil;
    d.explanation!.carriers[0].write!.file = evil;
    d.explanation!.carriers[0].write!.excerpt[2].text = evil;
    d.repair!.diff = `+${evil}\n-${evil}`;
    d.repair!.checks[0].detail = evil;
    content.dependences = [d];
    content.suite.binary = `/build/${evil.replace(/\//g, "")}`;
    content.history[0].order = content.curves[0].technique = evil;
    content.notices = [{ level: "warning", text: evil }];
    const page = await reader.open(report(content));
    await graphDrawn(page);
    expect(await page.locator("#app img:not(.graph-paper), #app script").count()).toBe(0);
    expect(await page.title()).not.toBe("owned");
    const shown = (await page.locator("#D1 .diff .added").textContent())!;
    expect(shown.replace(/⟨U\+([0-9A-F]{4})⟩/g, (_, code) => String.fromCharCode(parseInt(code, 16)))).toBe(
      `+${evil}\n`,
    );
    const unseen = /[\u0000-\u0008\u000e-\u001f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
    expect(await page.locator("#app").textContent()).not.toMatch(unseen);
  });
}

test("a carrier with a hostile name can still be chosen", async ({ reader }) => {
  const evil = '</option>\u202e<b>\n"';
  const content = suite(12, 3);
  content.dependences[1].explanation!.carriers[0].name = evil;
  const page = await reader.open(report(content));
  await page.locator("#filter-carrier").selectOption({ index: 2 });
  await expect(page.locator(".card")).toHaveAttribute("id", "D2");
});
