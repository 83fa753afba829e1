// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A dependence as two orders to compare: the test alone, and behind what changes its result.
import { h, type Child } from "./dom";
import { mark, outcomeBadge } from "./marks";
import { partnerRole, type Dependence } from "./model";

function lane(label: string, tests: Child[], d: Dependence, which: "alone" | "witnessed"): HTMLElement {
  const arrows = tests.flatMap((test, i) =>
    i > 0 ? [h("span", { class: "arrow", "aria-label": "then" }, "→"), test] : [test],
  );
  return h(
    "div",
    { class: "lane" },
    h("span", { class: "lane-label" }, label),
    h("span", { class: "chain" }, ...arrows),
    outcomeBadge(d[which]),
  );
}

function chip(test: string, role: string): HTMLElement {
  return h("code", { class: "test" }, mark(role), test);
}

/** The two orders that make a dependence, as two lanes to compare. */
export function twoOrders(d: Dependence): HTMLElement {
  const partner = partnerRole(d);
  const before = d.witness.slice(0, -1).map((test) => chip(test, test === d.test ? d.role : partner));
  const label =
    d.role === "self_dependent" ? "Run twice" : before.length > 1 ? "After others" : "After another";
  return h(
    "div",
    { class: "lanes" },
    lane("Alone", [chip(d.test, d.role)], d, "alone"),
    lane(label, [...before, chip(d.test, d.role)], d, "witnessed"),
  );
}
