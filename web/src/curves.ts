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

interface Whole {
  tests: number;
  units: number;
}

function wholeOf(curves: Curve[]): Whole {
  return {
    tests: Math.max(1, ...curves.map((curve) => curve.covered.length)),
    units: Math.max(1, ...curves.map((curve) => curve.total)),
  };
}

const mostPoints = 400;

/** No more points than can be seen. */
function line(curve: Curve, index: number, whole: Whole): SVGElement {
  const n = curve.covered.length,
    step = Math.max(1, Math.floor(n / mostPoints));
  const seen = curve.covered
    .map((units, i) => [i + 1, units])
    .filter((_, i) => i % step === 0 || i === n - 1);
  const points = [[0, 0], ...seen].map(([tests, units]) => {
    const x = (tests * size.width) / whole.tests,
      y = size.height * (1 - units / whole.units);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return svg("polyline", { points: points.join(" "), class: `curve c${index % 6}` });
}

function grid(whole: Whole): SVGElement[] {
  const parts: SVGElement[] = [];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const y = size.height * (1 - share),
      x = size.width * share;
    parts.push(svg("line", { x1: 0, x2: size.width, y1: y, y2: y, class: "grid" }));
    parts.push(svg("text", { x: -8, y: y + 4, class: "tick end" }, `${100 * share} %`));
    parts.push(
      svg(
        "text",
        { x, y: size.height + 20, class: share === 1 ? "tick end" : share === 0 ? "tick" : "tick middle" },
        share === 1 ? count(whole.tests, "test") : number(Math.round(whole.tests * share)),
      ),
    );
  }
  return parts;
}

/** Tests until half of it is covered. */
function half(curve: Curve, units: number): number {
  return curve.covered.findIndex((covered) => covered * 2 >= units) + 1;
}

function chart(units: string, curves: Curve[]): HTMLElement {
  const whole = wholeOf(curves);
  const words = curves.map(
    (curve) => `${curve.technique} reaches half after ${count(half(curve, whole.units), "test")}`,
  );
  const box = `${-inset.left} ${-inset.top} ${size.width + inset.left + inset.right} ${size.height + inset.top + inset.bottom}`;
  const picture = svg(
    "svg",
    {
      viewBox: box,
      class: "curves",
      role: "img",
      "aria-label": `Covered ${units} by tests run. ${words.join("; ")}.`,
    },
    ...grid(whole),
    ...curves.map((curve, i) => line(curve, i, whole)),
  );
  const rows = curves.map((curve, i) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: `swatch c${i % 6}` }), curve.technique),
      h("td", { class: "number" }, percent(curve.rate, 1)),
      h("td", { class: "number" }, number(half(curve, whole.units))),
      h("td", { class: "number" }, number(curve.total)),
    ),
  );
  return h(
    "div",
    { class: "chart" },
    picture,
    scroller(`Orders by ${units}`, table(["order", "rate", "tests to half", units], rows)),
  );
}

export function curves(suite: Suite): HTMLElement {
  const all = suite.curves;
  if (all.length === 0)
    return section(
      "curves",
      "Prioritised orders",
      missing(
        "No prioritised order of this build is in the database.",
        `gordian prioritize ${suite.suite.binary}`,
      ),
    );
  const kinds = [...new Set(all.map((curve) => curve.units))];
  return section(
    "curves",
    "Prioritised orders",
    note(
      "How much of what the suite covers is covered after how many tests. The rate is the area below the curve: the higher, the sooner.",
    ),
    ...kinds.map((units) =>
      chart(
        units,
        all.filter((curve) => curve.units === units),
      ),
    ),
  );
}
