// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The first thing one reads: is there something, how much, and how much was looked at.
import { carrierOf, roleWords, rolesOf, type Suite } from "./model";
import { count, h, seconds, section } from "./dom";

function tile(value: string | number, label: string, tone = ""): HTMLElement {
  return h("li", { class: `tile ${tone}` }, h("strong", {}, value), h("span", {}, label));
}

function tiles(suite: Suite): HTMLElement {
  const roles = rolesOf(suite);
  const playing = (role: string) => [...roles.values()].filter((own) => own.has(role)).length;
  const dependent = suite.dependences.length;
  const repaired = suite.dependences.filter((d) => d.repair?.verdict === "verified" || d.repair?.gone_by).length;
  return h(
    "ul",
    { class: "tiles" },
    tile(suite.tests.length, "tests"),
    tile(dependent, dependent === 1 ? "dependent test" : "dependent tests", dependent > 0 ? "bad" : "good"),
    ...["polluter", "state_setter", "cleaner"]
      .filter((role) => playing(role) > 0)
      .map((role) => tile(playing(role), playing(role) === 1 ? roleWords[role] : `${roleWords[role]}s`)),
    suite.nondeterministic.length > 0 ? tile(suite.nondeterministic.length, "non-deterministic", "warn") : "",
    dependent > 0 ? tile(repaired, "with a verified patch", repaired === dependent ? "good" : "") : "",
  );
}

/** The state that most dependences hang on, with how many. */
function carriers(suite: Suite): HTMLElement | null {
  const groups = new Map<string, number>();
  for (const d of suite.dependences) groups.set(carrierOf(d), (groups.get(carrierOf(d)) ?? 0) + 1);
  groups.delete("not explained");
  if (groups.size === 0) return null;
  const sorted = [...groups].sort((a, b) => b[1] - a[1]);
  return h(
    "p",
    {},
    "Carried by ",
    ...sorted.slice(0, 5).flatMap(([name, times], i) => [i > 0 ? ", " : "", h("code", {}, name), times > 1 ? ` (${times})` : ""]),
    sorted.length > 5 ? ` and ${sorted.length - 5} more.` : ".",
  );
}

export function summary(suite: Suite): HTMLElement {
  const { search } = suite;
  const tone = suite.dependences.length > 0 ? "bad" : "good";
  return section(
    "summary",
    "Summary",
    h("p", { class: `verdict ${tone}` }, suite.verdict),
    tiles(suite),
    carriers(suite),
    h("p", { class: "note" }, "A test is dependent when its result in some order differs from its result in the default order, and keeps differing when that order is repeated."),
    h(
      "details",
      { open: true },
      h("summary", {}, `What was explored: ${count(search.orders, "order")} in ${seconds(search.seconds)}`),
      h("ul", {}, ...suite.explored.map((line) => h("li", {}, line))),
    ),
    suite.notices.length > 0 ? h("details", {}, h("summary", {}, count(suite.notices.length, "notice")), h("ul", {}, ...suite.notices.map((n) => h("li", {}, n.text)))) : null,
  );
}

/** What was seen and does not count as dependent. */
export function asides(suite: Suite): HTMLElement | null {
  const parts: HTMLElement[] = [];
  const list = (title: string, lines: string[]) => {
    if (lines.length > 0) parts.push(h("h3", {}, title), h("ul", {}, ...lines.map((line) => h("li", {}, line))));
  };
  list("Non-deterministic", suite.nondeterministic.map((t) => `${t.test}: ${t.differ} of ${t.runs} runs of one order differ`));
  list("Declared by the suite itself", suite.declared.map((d) => `${d.test} after ${d.on.join(", ")}${d.needed ? "" : " (not needed)"}`));
  list("Left out", suite.left_out.map((t) => `${t.test}: ${t.why}`));
  return parts.length > 0 ? section("asides", "Not counted", ...parts) : null;
}
