// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The signs of the page: one shape for each role, so that colour is never the only difference, and
// the chips and badges made of them.
import { h, svg, type Child } from "./dom";
import type { Outcome } from "./model";
import { outcomeText, roleMeaning, roleWords, tone } from "./text";

/** In a box from 0 to 16; Cytoscape has shapes of the same names (graph_style.ts). */
const shapes: Record<string, [string, Record<string, string | number>]> = {
  polluter: ["circle", { cx: 8, cy: 8, r: 6 }],
  state_setter: ["rect", { x: 2.5, y: 2.5, width: 11, height: 11, rx: 2 }],
  victim: ["polygon", { points: "8,1 15,8 8,15 1,8" }],
  brittle: ["polygon", { points: "8,1 15,6.3 12.4,14.5 3.6,14.5 1,6.3" }],
  self_dependent: ["polygon", { points: "4.5,2 11.5,2 15,8 11.5,14 4.5,14 1,8" }],
  cleaner: ["polygon", { points: "8,1.5 15,14 1,14" }],
  data: ["circle", { cx: 8, cy: 8, r: 4 }],
};

export const allRoles = ["victim", "brittle", "self_dependent", "polluter", "state_setter", "cleaner"];

export function mark(role: string): SVGElement {
  const [tag, attributes] = shapes[role] ?? shapes.data;
  const shape = svg(tag, { ...attributes, fill: `var(--${role})` });
  return svg("svg", { viewBox: "0 0 16 16", class: "mark", "aria-hidden": "true" }, shape);
}

export function roleChip(role: string): HTMLElement {
  return h("span", { class: "role", title: roleMeaning[role] }, mark(role), roleWords[role]);
}

/** The shapes with their words; what they mean is below, for those who ask. */
export function roleLegend(roles: string[]): HTMLElement {
  return h(
    "ul",
    { class: "legend" },
    ...roles.map((role) => h("li", { title: roleMeaning[role] }, mark(role), roleWords[role])),
  );
}

const strokes: Record<string, string> = {
  good: "M3 8.5l3.2 3.5L13 4.5",
  bad: "M4 4l8 8M12 4l-8 8",
  warn: "M8 3v6.5M8 12.4v.6",
};

/** Tick, cross or exclamation mark. */
export function sign(kind: string): SVGElement {
  const path = svg("path", { d: strokes[kind] ?? "M4 8h8" });
  return svg("svg", { viewBox: "0 0 16 16", class: "sign", "aria-hidden": "true" }, path);
}

export function badge(kind: string, ...text: Child[]): HTMLElement {
  return h("span", { class: `badge ${kind}` }, sign(kind), ...text);
}

export function outcomeBadge(outcome: Outcome): HTMLElement {
  return badge(tone(outcome.outcome), outcomeText(outcome));
}
