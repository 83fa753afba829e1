// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The pictures: time line of the search, heat map of pairs, durations of tests, coverage curves.
// Each says in words what it shows, for those who cannot see it.
import { count, h, seconds, section, svg } from "./dom";
import { rolesOf, roleWords, type Curve, type Pairs, type Suite } from "./model";

/** What was run when, as one bar for each algorithm. */
export function timeline(suite: Suite): HTMLElement | null {
  const phases = suite.search.phases.filter((phase) => phase.orders > 0);
  if (phases.length === 0) return null;
  const total = phases.reduce((sum, phase) => sum + phase.seconds, 0) || 1;
  let begin = 0;
  const rows = phases.map((phase) => {
    const left = (100 * begin) / total;
    begin += phase.seconds;
    const width = Math.max((100 * phase.seconds) / total, 0.4);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, phase.algorithm),
      h("td", { class: "number" }, phase.orders.toLocaleString("en")),
      h("td", { class: "number" }, seconds(phase.seconds)),
      h("td", { class: "number" }, phase.found),
      h("td", {}, phase.finished ? "to its end" : "cut short"),
      h("td", { class: "bar-cell" }, h("span", { class: `bar ${phase.found > 0 ? "found" : ""}`, style: `margin-left:${left}%;width:${Math.min(width, 100 - left)}%` })),
    );
  });
  const head = ["algorithm", "orders", "time", "found first", "ran", "when"].map((word) => h("th", { scope: "col" }, word));
  return section("timeline", "Orders run", h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Orders run" }, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows))));
}

function bitsOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/** 0 not run, 1 run, 2 changed a result; several pairs to one pixel show their strongest. */
function cells(pairs: Pairs, size: number): Uint8Array {
  const n = pairs.tests.length;
  const at = (i: number) => Math.floor((i * size) / n);
  const grid = new Uint8Array(size * size);
  pairs.covered.forEach((text, row) => {
    const bits = bitsOf(text);
    for (let column = 0; column < n; ++column) {
      if (bits[column >> 3] & (1 << (column & 7))) grid[at(row) * size + at(column)] = 1;
    }
  });
  for (const [row, column] of pairs.changed) grid[at(row) * size + at(column)] = 2;
  return grid;
}

function paint(canvas: HTMLCanvasElement, pairs: Pairs): void {
  const size = canvas.width;
  const style = getComputedStyle(document.documentElement);
  const colour = ["--surface", "--cleaner", "--victim"].map((name) => style.getPropertyValue(name).trim());
  const context = canvas.getContext("2d")!;
  const grid = cells(pairs, size);
  for (let i = 0; i < grid.length; ++i) {
    context.fillStyle = colour[grid[i]];
    context.fillRect(i % size, Math.floor(i / size), 1, 1);
  }
}

/** Row: runs first. Column: runs directly behind it. */
export function heatMap(suite: Suite): { element: HTMLElement; restyle(): void } | null {
  const pairs = suite.pairs;
  if (!pairs || pairs.tests.length < 2) return null;
  const size = Math.min(pairs.tests.length, 600);
  const label = `Of ${count(suite.search.pairs_total, "ordered pair")}, ${suite.search.pairs_covered.toLocaleString("en")} were run and ${pairs.changed.length.toLocaleString("en")} changed a result`;
  const canvas = h("canvas", { width: size, height: size, class: "heat", role: "img", "aria-label": label }) as HTMLCanvasElement;
  const hint = h("p", { class: "note", "aria-hidden": "true" }, "Point at a cell to see its pair.");
  canvas.addEventListener("mousemove", (event) => {
    const box = canvas.getBoundingClientRect();
    const index = (offset: number, length: number) => Math.min(pairs.tests.length - 1, Math.max(0, Math.floor((offset * pairs.tests.length) / length)));
    hint.textContent = `${pairs.tests[index(event.clientY - box.top, box.height)]}, then ${pairs.tests[index(event.clientX - box.left, box.width)]}`;
  });
  const restyle = () => paint(canvas, pairs);
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    restyle();
  }).observe(canvas);
  const legend = h("ul", { class: "legend" }, h("li", {}, h("span", { class: "dot cleaner" }), "run, no change"), h("li", {}, h("span", { class: "dot victim" }), "changed the result of the second"), h("li", {}, h("span", { class: "dot none" }), "not run"));
  return { element: section("pairs", "Pairs", h("p", {}, `${label}. Rows run first, columns directly behind them.`), legend, canvas, hint), restyle };
}

const pageSize = 100;

/** Every test with its place, roles and durations; a page at a time, so that thousands are no burden. */
export function testTable(suite: Suite): { element: HTMLElement; apply(text: string): void } {
  const roles = rolesOf(suite);
  const isolations = suite.runs.map((run) => run.isolation);
  const rows = suite.tests.map((test, i) => ({
    test,
    roles: [...(roles.get(test.name) ?? [])].map((role) => roleWords[role]).join(", "),
    outcome: suite.runs.find((run) => run.outcomes[i])?.outcomes[i] ?? "",
    times: suite.runs.map((run) => run.duration_ns[i]),
  }));
  type Row = (typeof rows)[number];
  let shown: Row[] = rows, page = 0, text = "", sorted = -1;
  const tbody = h("tbody");
  const status = h("p", { role: "status", class: "note" });
  const draw = () => {
    const part = shown.slice(page * pageSize, (page + 1) * pageSize);
    tbody.replaceChildren(
      ...part.map((row) =>
        h("tr", {}, h("th", { scope: "row" }, row.test.name), h("td", {}, row.roles), h("td", {}, row.outcome), ...row.times.map((ns) => h("td", { class: "number" }, ns === null || ns === undefined ? "" : seconds(ns / 1e9))), h("td", {}, row.test.file ? h("code", { class: "place" }, `${row.test.file}:${row.test.line ?? ""}`) : "")),
      ),
    );
    const last = Math.min((page + 1) * pageSize, shown.length);
    status.textContent = shown.length === 0 ? "No test matches." : `${page * pageSize + 1} to ${last} of ${count(shown.length, "test")}`;
    previous.disabled = page === 0;
    next.disabled = last >= shown.length;
  };
  const select = () => {
    shown = rows.filter((row) => !text || `${row.test.name} ${row.roles}`.toLowerCase().includes(text));
    if (sorted >= 0) shown = [...shown].sort((a, b) => (b.times[sorted] ?? -1) - (a.times[sorted] ?? -1));
    page = 0;
    draw();
  };
  const turn = (by: number) => () => {
    page += by;
    draw();
  };
  const previous = h("button", { type: "button", click: turn(-1) }, "Previous") as HTMLButtonElement;
  const next = h("button", { type: "button", click: turn(1) }, "Next") as HTMLButtonElement;
  const head = h(
    "tr",
    {},
    ...["test", "roles", "result"].map((word) => h("th", { scope: "col" }, word)),
    ...isolations.map((name, i) => h("th", { scope: "col" }, h("button", { type: "button", class: "sort", click: () => ((sorted = sorted === i ? -1 : i), select()) }, `time, ${name}`))),
    h("th", { scope: "col" }, "place"),
  );
  draw();
  const hint = isolations.length > 0 ? null : h("p", { class: "note" }, "Durations come from `gordian run`; there was none of this build.");
  return {
    element: section("tests", "Tests", hint, status, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "All tests" }, h("table", {}, h("thead", {}, head), tbody)), h("p", { class: "pager" }, previous, next)),
    apply: (wanted) => {
      text = wanted.toLowerCase();
      select();
    },
  };
}

/** What isolation costs: one bar for each way the suite was run. */
export function isolationCost(suite: Suite): HTMLElement | null {
  if (suite.runs.length === 0) return null;
  const most = Math.max(...suite.runs.map((run) => run.wall_ns));
  const rows = suite.runs.map((run) => h("tr", {}, h("th", { scope: "row" }, run.isolation), h("td", { class: "number" }, seconds(run.wall_ns / 1e9)), h("td", { class: "bar-cell" }, h("span", { class: "bar", style: `width:${(100 * run.wall_ns) / most}%` })), h("td", {}, run.id)));
  return section("isolation", "What isolation costs", h("table", {}, h("thead", {}, h("tr", {}, ...["isolation", "whole run", "", "run"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...rows)));
}

function curveLine(curve: Curve, width: number, height: number, index: number): SVGElement {
  const n = curve.covered.length;
  const points = curve.covered.map((value, i) => `${((i + 1) * width) / n},${height - (value * height) / Math.max(curve.total, 1)}`);
  return svg("polyline", { points: [`0,${height}`, ...points].join(" "), class: `curve c${index % 5}` });
}

/** How quickly orders reach what the whole suite covers. */
export function curves(suite: Suite): HTMLElement | null {
  if (suite.curves.length === 0) return null;
  const [width, height] = [640, 260];
  const words = suite.curves.map((curve) => `${curve.technique}: half of the ${curve.units} after ${count(curve.covered.findIndex((value) => value * 2 >= curve.total) + 1, "test")}`);
  const picture = svg("svg", { viewBox: `-10 -10 ${width + 20} ${height + 20}`, class: "curves", role: "img", "aria-label": words.join("; ") }, svg("rect", { x: 0, y: 0, width, height, class: "frame" }), ...suite.curves.map((curve, i) => curveLine(curve, width, height, i)));
  return section("curves", "Prioritised orders", h("p", {}, "Share of what the suite covers, by tests run."), picture, h("ul", { class: "legend" }, ...words.map((text, i) => h("li", {}, h("span", { class: `dot c${i % 5}` }), text))));
}
