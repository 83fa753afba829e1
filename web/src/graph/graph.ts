// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The graph of tests with its tools and its panel. Drawn when it comes into view.
import { button, h, missing, note, section, whenSeen } from "../dom";
import { isEverything, matches, type Filter, type Wanted } from "../filter";
import { allRoles, roleLegend } from "../marks";
import { partnersOf, rolesOf, type Dependence, type Suite } from "../model";
import { count } from "../text";
import { GraphCanvas } from "./canvas";
import { drawing, type Drawing } from "./drawing";
import { Panel } from "./panel";

const keys: Record<string, (canvas: GraphCanvas) => void> = {
  "+": (canvas) => canvas.zoom(1.3),
  "=": (canvas) => canvas.zoom(1.3),
  "-": (canvas) => canvas.zoom(1 / 1.3),
  "0": (canvas) => canvas.fit(),
  ArrowLeft: (canvas) => canvas.pan(60, 0),
  ArrowRight: (canvas) => canvas.pan(-60, 0),
  ArrowUp: (canvas) => canvas.pan(0, 60),
  ArrowDown: (canvas) => canvas.pan(0, -60),
};

function legends(roles: Set<string>, flows: boolean): HTMLElement {
  const line = (kind: string, text: string) => h("li", { class: kind }, text);
  const lines = h(
    "ul",
    { class: "legend lines" },
    line("manifest", "changes a result"),
    roles.has("cleaner") ? line("cleans", "cleans up") : null,
    flows ? line("data", "shares data only") : null,
  );
  return h("div", { class: "legends" }, roleLegend(allRoles.filter((role) => roles.has(role))), lines);
}

const manyArrows = 300;
const fewArrows = 6; // that few need no high picture

export class GraphView {
  readonly element: HTMLElement;
  private readonly container = h("div", { class: "graph-canvas", tabindex: 0, role: "group" });
  private readonly paper = h("img", {
    class: "graph-paper",
    alt: "Graph of the tests that depend on each other",
    src: "data:,",
  }) as HTMLImageElement;
  private readonly cleaners = h("input", {
    type: "checkbox",
    id: "graph-cleaners",
    checked: true,
  }) as HTMLInputElement;
  private readonly data = h("input", { type: "checkbox", id: "graph-data" }) as HTMLInputElement;
  private readonly panel: Panel;
  private canvas: GraphCanvas | null = null;
  private drawn: Drawing | null = null;
  private wanted: Wanted;

  constructor(
    private readonly suite: Suite,
    filter: Filter,
    private readonly openCard: (id: string) => void,
  ) {
    this.wanted = filter.wanted;
    const chooseBox = (name: string | null) => this.chooseBox(name),
      chooseTest = (test: string) => this.chooseTest(test);
    this.panel = new Panel(suite, rolesOf(suite), { chooseBox, chooseTest, openCard });
    const flows = suite.data_flows.some((flow) => flow.dependences.length > 0);
    if (suite.dependences.length === 0) this.data.checked = flows;
    this.element = suite.dependences.length > 0 || flows ? this.whole(flows) : this.nothing();
    filter.follow((wanted) => this.apply(wanted));
  }

  /** Lets go of what it has painted on. */
  leave(): void {
    this.canvas?.destroy();
    this.canvas = null;
  }

  restyle(): void {
    this.canvas?.restyle();
  }

  /** The canvas does not go onto paper; a picture of it does. */
  forPaper(): void {
    this.restyle();
    if (this.canvas) this.paper.src = this.canvas.picture();
  }

  private nothing(): HTMLElement {
    return section(
      "graph",
      "Graph",
      missing(
        "There is nothing to draw: no test was seen to depend on another, and data dependences were not collected.",
        `gordian graph ${this.suite.suite.binary}`,
      ),
    );
  }

  private whole(flows: boolean): HTMLElement {
    const roles = new Set([...rolesOf(this.suite).values()].flatMap((own) => [...own]));
    this.prepare(flows);
    const intro = note(
      "Each box is a carrier: the state through which its tests depend on each other. Arrows go from the test that leaves something behind to the test that trips over it.",
    );
    return section(
      "graph",
      "Graph",
      intro,
      legends(roles, flows),
      this.tools(roles.has("cleaner"), flows),
      h("div", { class: "graph-row" }, this.container, this.panel.element),
      this.paper,
    );
  }

  private prepare(flows: boolean): void {
    this.container.setAttribute(
      "aria-label",
      `Graph of ${count(this.suite.dependences.length, "dependence")}. Arrow keys move it, plus and minus zoom, 0 shows all; the list beside it says the same in words.`,
    );
    const arrowsOf = (d: Dependence) => partnersOf(d).length + d.cleaners.length;
    const arrows = this.suite.dependences.reduce((sum, d) => sum + arrowsOf(d), 0);
    if (!flows && arrows <= fewArrows) this.container.classList.add("small");
    this.container.addEventListener("keydown", (event) => this.key(event));
    for (const box of [this.cleaners, this.data]) box.addEventListener("change", () => this.draw());
    whenSeen(this.container, () => this.start());
  }

  private tools(cleaners: boolean, flows: boolean): HTMLElement {
    const zoom = (factor: number) => () => this.canvas?.zoom(factor);
    return h(
      "div",
      { class: "graph-tools" },
      button("+", zoom(1.3), { "aria-label": "Zoom in" }),
      button("−", zoom(1 / 1.3), { "aria-label": "Zoom out" }),
      button("Show all", () => this.chooseBox(null)),
      cleaners ? h("label", { for: "graph-cleaners" }, this.cleaners, "cleaners") : null,
      flows ? h("label", { for: "graph-data" }, this.data, "data dependences") : null,
      h("span", { class: "muted hint" }, "Drag to move, Ctrl and wheel to zoom"),
    );
  }

  private many(): boolean {
    const flows = this.suite.data_flows.reduce((sum, flow) => sum + flow.dependences.length, 0);
    return this.suite.dependences.length + flows > manyArrows;
  }

  private start(): void {
    this.canvas = new GraphCanvas(this.container, this.many(), {
      test: (test) => this.chooseTest(test),
      box: (name) => this.chooseBox(name),
      edge: (dependence) => dependence && this.openCard(dependence),
      nothing: () => this.canvas?.choose(null),
      resized: () => (this.many() ? this.canvas?.fit() : this.place()),
    });
    this.draw();
  }

  private draw(): void {
    this.place();
    if (this.drawn) this.panel.showAll(this.drawn);
  }

  /** Boxes stand as they suit the room there is. */
  private place(): void {
    const view = { width: this.container.clientWidth, height: this.container.clientHeight };
    this.drawn = drawing(this.suite, { cleaners: this.cleaners.checked, data: this.data.checked }, view);
    this.container.dataset.state = "drawing";
    this.canvas?.draw(this.drawn, () => {
      this.apply(this.wanted);
      this.container.dataset.state = "drawn";
    });
  }

  private apply(wanted: Wanted): void {
    this.wanted = wanted;
    const kept = isEverything(wanted)
      ? null
      : new Set(this.suite.dependences.filter((d) => matches(d, wanted)).map((d) => d.id));
    this.canvas?.keep(kept);
  }

  private chooseBox(name: string | null): void {
    this.canvas?.choose(null);
    if (name === null) {
      this.canvas?.fit();
      if (this.drawn) this.panel.showAll(this.drawn);
    } else {
      this.canvas?.fitBox(name);
      this.panel.showBox(name);
    }
  }

  private chooseTest(test: string): void {
    this.canvas?.choose(test);
    this.panel.showTest(test);
  }

  private key(event: KeyboardEvent): void {
    const act = keys[event.key];
    if (!act || !this.canvas || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act(this.canvas);
  }
}
