// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The heat map of ordered pairs: which were run, and which changed a result. A table where its
// cells can be told apart by eye, a painted picture with a cursor above that.
import { colours, h, missing, note, scroller, section, whenSeen } from "./dom";
import type { Pairs, Suite } from "./model";
import { count, number } from "./text";

enum Cell {
  notRun,
  same,
  changed,
}

const words = ["not run", "no change", "changes the second's result"];
const classes = ["not-run", "same", "changed"];
const mostRows = 40;
const mostPixels = 640;

/** What is known of each pair, row by row: all pairs of 20,000 tests would be 400 MB. */
class Cells {
  private readonly changed = new Map<number, Set<number>>();

  constructor(private readonly pairs: Pairs) {
    for (const [row, column] of pairs.changed) {
      if (!this.changed.has(row)) this.changed.set(row, new Set());
      this.changed.get(row)!.add(column);
    }
  }

  at(row: number, column: number): Cell {
    if (this.changed.get(row)?.has(column)) return Cell.changed;
    const runs = this.pairs.covered.get(row) ?? [];
    for (let i = 0; i < runs.length && runs[i] <= column; i += 2)
      if (column < runs[i] + runs[i + 1]) return Cell.same;
    return Cell.notRun;
  }

  /** Calls `mark` for each run of pairs that have a result, the strongest last. */
  each(mark: (row: number, column: number, length: number, cell: Cell) => void): void {
    for (const [row, runs] of this.pairs.covered)
      for (let i = 0; i < runs.length; i += 2) mark(row, runs[i], runs[i + 1], Cell.same);
    for (const [row, column] of this.pairs.changed) mark(row, column, 1, Cell.changed);
  }
}

function legend(): HTMLElement {
  const item = (cell: Cell) => h("li", {}, h("span", { class: `swatch ${classes[cell]}` }), words[cell]);
  return h("ul", { class: "legend" }, item(Cell.same), item(Cell.changed), item(Cell.notRun));
}

function smallMap(pairs: Pairs): HTMLElement {
  const cells = new Cells(pairs);
  const columns = pairs.tests.map((test, i) => h("th", { scope: "col", title: test }, i + 1));
  const rows = pairs.tests.map((first, row) => {
    const own = pairs.tests.map((second, column) => {
      const known = cells.at(row, column),
        cell = row === column && known === Cell.notRun ? -1 : known;
      const text = cell < 0 ? "the same test" : words[cell];
      return h(
        "td",
        { class: cell < 0 ? "self" : classes[cell], title: `${first}, then ${second}: ${text}` },
        h("span", { class: "offscreen" }, text),
      );
    });
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: "muted" }, `${row + 1} `), first),
      ...own,
    );
  });
  const head = h("tr", {}, h("th", { scope: "col" }, "first \\ second"), ...columns);
  return scroller(
    "Pairs",
    h("table", { class: "heat-table" }, h("thead", {}, head), h("tbody", {}, ...rows)),
  );
}

function channels(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number);
}

/** The painted map. Several pairs on one pixel show the strongest of them. */
class BigMap {
  readonly canvas: HTMLCanvasElement;
  readonly status = h(
    "p",
    { class: "note", role: "status" },
    "Point at a cell, or use the arrow keys, to read its pair.",
  );
  private readonly size: number;
  private readonly cells: Cells;
  private row = 0;
  private column = 0;

  constructor(
    private readonly pairs: Pairs,
    label: string,
  ) {
    this.size = Math.min(pairs.tests.length, mostPixels);
    this.cells = new Cells(pairs);
    this.canvas = h("canvas", {
      width: this.size,
      height: this.size,
      class: "heat",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "heat map",
      "aria-label": `${label} Arrow keys go from pair to pair.`,
    }) as HTMLCanvasElement;
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    whenSeen(this.canvas, () => this.paint());
  }

  paint(): void {
    const n = this.pairs.tests.length,
      strongest = new Uint8Array(this.size * this.size);
    const at = (i: number) => Math.floor((i * this.size) / n);
    this.cells.each((row, column, length, cell) => {
      const line = at(row) * this.size;
      strongest.fill(cell, line + at(column), line + at(column + length - 1) + 1);
    });
    const found = colours(["surface", "same", "victim"]);
    const colour = [found.surface, found.same, found.victim].map(channels);
    const context = this.canvas.getContext("2d")!,
      image = context.createImageData(this.size, this.size);
    strongest.forEach((cell, i) => image.data.set([...colour[cell], 255], 4 * i));
    context.putImageData(image, 0, 0);
  }

  private tell(): void {
    const { tests } = this.pairs;
    const cell = this.cells.at(this.row, this.column);
    const what = this.row === this.column && cell === Cell.notRun ? "the same test" : words[cell];
    this.status.replaceChildren(
      ...h("p", {}, h("code", {}, tests[this.row]), ", then ", h("code", {}, tests[this.column]), `: ${what}`)
        .childNodes,
    );
  }

  private point(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect(),
      n = this.pairs.tests.length;
    const index = (offset: number, length: number) =>
      Math.min(n - 1, Math.max(0, Math.floor((offset * n) / length)));
    this.row = index(event.clientY - box.top, box.height);
    this.column = index(event.clientX - box.left, box.width);
    this.tell();
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const n = this.pairs.tests.length,
      by = event.shiftKey ? 10 : 1;
    this.row = Math.min(n - 1, Math.max(0, this.row + by * step[0]));
    this.column = Math.min(n - 1, Math.max(0, this.column + by * step[1]));
    this.tell();
  }
}

/** Row: runs first. Column: runs directly behind it. */
export function pairMap(suite: Suite): { element: HTMLElement; restyle(): void } {
  const { pairs, search } = suite;
  if (!pairs || pairs.tests.length < 2) {
    const why =
      pairs || suite.tests.length < 2
        ? "There are no pairs: the suite has fewer than two tests."
        : "Which pairs were run is not in the database: the search did not keep it, or was of another build.";
    return { element: section("pairs", "Pairs", missing(why)), restyle: () => {} };
  }
  const label = `Of ${count(search.pairs_total, "ordered pair")}, ${number(search.pairs_covered)} were run and ${number(pairs.changed.length)} changed a result.`;
  const intro = h("p", {}, `${label} Rows run first, columns directly behind them.`);
  if (pairs.tests.length <= mostRows)
    return { element: section("pairs", "Pairs", intro, legend(), smallMap(pairs)), restyle: () => {} };
  const map = new BigMap(pairs, label);
  const scale =
    pairs.tests.length > mostPixels
      ? note("One pixel stands for several pairs, and shows the strongest of them.")
      : null;
  return {
    element: section("pairs", "Pairs", intro, legend(), map.canvas, map.status, scale),
    restyle: () => map.paint(),
  };
}
