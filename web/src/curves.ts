// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Prioritisation: how quickly orders of the tests reach what the whole suite covers. One picture for
// each kind of unit, with the same in a table.
import { h, missing, note, section, scroller, svg, table } from "./dom";
import type { Curve, Suite } from "./model";
import { count, number, percent } from "./text";

const size = { width: 640, height: 260 };
const inset = { left: 52, right: 12, top: 10, bottom: 34 };

function totals(curves: Curve[]): { tests: number; units: number } {
  const ends = curves.map((curve) => curve.points[curve.points.length - 1] ?? [0, 0]);
  return { tests: Math.max(1, ...ends.map(([tests]) => tests)), units: Math.max(1, ...ends.map(([, units]) => units)) };
}

function line(curve: Curve, index: number, whole: { tests: number; units: number }): SVGElement {
  const at = ([tests, units]: [number, number]) => `${((tests * size.width) / whole.tests).toFixed(1)},${(size.height - (units * size.height) / whole.units).toFixed(1)}`;
  return svg("polyline", { points: [[0, 0] as [number, number], ...curve.points].map(at).join(" "), class: `curve c${index % 6}` });
}

function grid(whole: { tests: number; units: number }): SVGElement[] {
  const parts: SVGElement[] = [];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const y = size.height * (1 - share), x = size.width * share;
    parts.push(svg("line", { x1: 0, x2: size.width, y1: y, y2: y, class: "grid" }));
    parts.push(svg("text", { x: -8, y: y + 4, class: "tick end" }, `${100 * share} %`));
    parts.push(svg("text", { x, y: size.height + 20, class: share === 1 ? "tick end" : share === 0 ? "tick" : "tick middle" }, number(Math.round(whole.tests * share))));
  }
  return parts;
}

/** Tests until half of it is covered. */
function half(curve: Curve, units: number): number {
  return curve.points.find(([, covered]) => covered * 2 >= units)?.[0] ?? 0;
}

function chart(units: string, curves: Curve[]): HTMLElement {
  const whole = totals(curves);
  const words = curves.map((curve) => `${curve.technique} reaches half after ${count(half(curve, whole.units), "test")}`);
  const box = `${-inset.left} ${-inset.top} ${size.width + inset.left + inset.right} ${size.height + inset.top + inset.bottom}`;
  const picture = svg("svg", { viewBox: box, class: "curves", role: "img", "aria-label": `Covered ${units} by tests run. ${words.join("; ")}.` }, ...grid(whole), ...curves.map((curve, i) => line(curve, i, whole)));
  const rows = curves.map((curve, i) =>
    h("tr", {}, h("th", { scope: "row" }, h("span", { class: `swatch c${i % 6}` }), curve.technique), h("td", { class: "number" }, curve.rate === null ? "–" : percent(curve.rate, 1)), h("td", { class: "number" }, number(half(curve, whole.units))), h("td", { class: "number" }, number(curve.points[curve.points.length - 1]?.[1] ?? 0))),
  );
  return h("div", { class: "chart" }, picture, scroller(`Orders by ${units}`, table(["order", "rate", "tests to half", units], rows)));
}

export function curves(suite: Suite): HTMLElement {
  const all = suite.prioritisation ?? [];
  if (all.length === 0) return section("curves", "Prioritised orders", missing("No prioritised order of this build is in the database.", `gordian prioritize ${suite.suite.binary}`));
  const kinds = [...new Set(all.map((curve) => curve.units))];
  return section(
    "curves",
    "Prioritised orders",
    note("How much of what the suite covers is covered after how many tests. The rate is the area below the curve: the higher, the sooner."),
    ...kinds.map((units) => chart(units, all.filter((curve) => curve.units === units))),
  );
}
