// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One dependence: what happens in words and as two orders, the results, why, the patch, and commands
// to copy. What is inside is made when the card is opened.
import { command, h, type Child } from "./dom";
import { why } from "./evidence";
import { badge, outcomeBadge, roleChip } from "./marks";
import { carrierOf, isRepaired, notExplained, type Dependence, type Outcome } from "./model";
import { patch } from "./patch";
import { twoOrders } from "./lanes";
import { claim, commandFor, count, names, number, outcomeVerb, placeText } from "./text";

/** The whole case in one or two sentences. */
function story(d: Dependence): HTMLElement {
  const test = h("strong", {}, d.test);
  const by = h("strong", {}, names(d.by));
  const carrier = d.explanation?.proved ? d.explanation.carriers[0] : undefined;
  const because: Child[] = carrier ? [" The state behind it is ", h("code", {}, carrier.name), "."] : [];
  const alone = outcomeVerb(d.alone),
    then = outcomeVerb(d.witnessed);
  const told: Child[] =
    d.role === "self_dependent"
      ? [test, ` ${alone} the first time and ${then} when it runs again in the same process.`]
      : d.role === "brittle"
        ? [
            test,
            ` ${alone} alone. It ${then} only when `,
            by,
            ` ${d.by.length > 1 ? "have" : "has"} run before it.`,
          ]
        : [
            test,
            ` ${alone} alone. It ${then} when `,
            by,
            ` ${d.by.length > 1 ? "have" : "has"} run before it.`,
          ];
  return h("p", { class: "story" }, ...told, ...because);
}

function outcomeRow(label: string, outcome: Outcome): HTMLElement[] {
  const place = outcome.file ? h("span", { class: "place" }, placeText(outcome)) : null;
  const message = outcome.message
    ? h("pre", { tabindex: 0, role: "group", "aria-label": `Message, ${label}` }, outcome.message)
    : null;
  return [h("dt", {}, label), h("dd", {}, outcomeBadge(outcome), place, message)];
}

const mostNames = 12;

function testList(tests: string[]): HTMLElement {
  const items = (list: string[]) =>
    h("ul", { class: "tests-inline" }, ...list.map((test) => h("li", {}, h("code", {}, test))));
  if (tests.length <= mostNames) return items(tests);
  const rest = h(
    "details",
    {},
    h("summary", {}, `${number(tests.length - mostNames)} more`),
    items(tests.slice(mostNames)),
  );
  return h("div", {}, items(tests.slice(0, mostNames)), rest);
}

function partners(label: string, tests: string[], complete: boolean): HTMLElement[] {
  if (tests.length === 0) return [];
  return [
    h("dt", {}, label),
    h(
      "dd",
      {},
      testList(tests),
      complete ? null : h("span", { class: "muted" }, "Not every test was tried."),
    ),
  ];
}

function cleaners(d: Dependence): HTMLElement[] {
  if (d.role !== "victim" || d.cleaners.length > 0)
    return partners("cleaners", d.cleaners, d.cleaners_complete);
  return [
    h("dt", {}, "cleaners"),
    h(
      "dd",
      { class: "muted" },
      d.cleaners_complete ? "None: no other test undoes it." : "None found; not every test was tried.",
    ),
  ];
}

function facts(d: Dependence): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    ...outcomeRow("in the default order", d.expected),
    ...outcomeRow("alone", d.alone),
    ...outcomeRow(d.role === "self_dependent" ? "run twice" : `after ${names(d.by, 1)}`, d.witnessed),
    ...partners("polluters", d.polluters, d.polluters_complete),
    ...partners("state-setters", d.state_setters, d.polluters_complete),
    ...cleaners(d),
    h("dt", {}, "confirmed"),
    h(
      "dd",
      {},
      `repeated ${count(d.confirmed, "time")} with the same result${d.found_by ? `; first shown by ${d.found_by}` : ""}`,
    ),
  );
}

function body(d: Dependence): HTMLElement {
  const stop = d.explanation?.carriers.some((carrier) => carrier.read) ? "read" : "failure";
  return h(
    "div",
    { class: "card-body" },
    story(d),
    twoOrders(d),
    h("h4", {}, "Why"),
    why(d),
    h("h4", {}, "Patch"),
    patch(d),
    h("h4", {}, "Results"),
    facts(d),
    h("h4", {}, "See for yourself"),
    command(commandFor(d, "replay")),
    command(commandFor(d, "replay", ` --debugger gdb --at ${stop}`)),
  );
}

/** Closed; opening it makes what is inside. */
export function card(d: Dependence): HTMLDetailsElement {
  const carrier = carrierOf(d);
  const state = [
    isRepaired(d) ? badge("good", "patch") : d.repair?.diff ? badge("warn", "partly") : null,
    carrier === notExplained ? badge("", notExplained) : null,
  ];
  const line = h(
    "summary",
    {},
    h("span", { class: "id" }, d.id),
    roleChip(d.role),
    h("span", { class: "what" }, h("strong", {}, d.test), " ", h("span", { class: "muted" }, claim(d))),
    h("span", { class: "state" }, ...state),
  );
  const details = h("details", { class: "card", id: d.id }, line) as HTMLDetailsElement;
  details.addEventListener("toggle", () => fill(details, d));
  return details;
}

function fill(details: HTMLDetailsElement, d: Dependence): void {
  if (details.open && !details.querySelector(".card-body")) details.append(body(d));
}

export function openCard(details: HTMLDetailsElement, d: Dependence): void {
  details.open = true;
  fill(details, d);
}
