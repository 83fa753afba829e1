// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The graph on a canvas, by Cytoscape.js: maintained, no other packages, no WebGL, and usable with
// thousands of nodes. It is given places (drawing.ts) and a part of the nodes at a time, so that the
// page answers meanwhile.
import cytoscape, { type Core, type ElementDefinition, type EventObject, type NodeSingular } from "cytoscape";
import { shorten, visible } from "../text";
import type { Box, Drawing } from "./drawing";
import { graphStyle } from "./style";

export interface Events {
  test(test: string): void;
  box(name: string): void;
  edge(dependence: string | undefined): void;
  nothing(): void;
  resized(): void; // and the reader has not moved it
}

const sides = ["left", "middle", "right"];
const slice = 1000;
const mostLetters = 30;
const closest = 1.15;

function boxElement(box: Box): ElementDefinition {
  const size = box.title;
  return {
    data: {
      id: `box:${box.name}`,
      label: visible(box.name),
      name: box.name,
      width: box.width,
      height: box.height,
      size,
      down: size + 14,
      room: box.width - 30,
    },
    position: { x: box.x + box.width / 2, y: box.y + box.height / 2 },
    classes: "box",
    grabbable: false,
  };
}

function elements(drawing: Drawing): ElementDefinition[] {
  return [
    ...drawing.boxes.map(boxElement),
    ...[...drawing.nodes.values()].map((node) => ({
      data: {
        id: node.id,
        label: shorten(visible(node.test), mostLetters),
        test: node.test,
        group: node.group,
      },
      position: { x: node.x, y: node.y },
      classes: `${node.role} ${sides[node.side]}`,
    })),
    ...drawing.edges.map((edge) => ({
      data: { id: edge.id, source: edge.from, target: edge.to, dependence: edge.dependence },
      classes: edge.kind,
    })),
  ];
}

export class GraphCanvas {
  private readonly core: Core;
  private pending = 0;
  private moved = false; // by the reader: then it stays where they put it
  private size: { width: number; height: number };
  private readonly watch: ResizeObserver;

  constructor(
    readonly container: HTMLElement,
    private readonly many: boolean,
    events: Events,
  ) {
    this.core = cytoscape({
      container,
      style: graphStyle(many),
      minZoom: 0.01,
      maxZoom: 3,
      userZoomingEnabled: false, // a page scrolls; with Ctrl the wheel zooms, see below
      boxSelectionEnabled: false,
      autoungrabify: true,
      // Thousands are moved as a picture, and painted anew when they stand still.
      hideEdgesOnViewport: many,
      textureOnViewport: many,
      pixelRatio: many ? 1 : "auto",
    });
    const on = (selector: string, tell: (event: EventObject) => void) => this.core.on("tap", selector, tell);
    on("node.box", (event) => events.box(event.target.data("name")));
    on("node[test]", (event) => events.test(event.target.data("test")));
    on("edge", (event) => events.edge(event.target.data("dependence")));
    this.core.on("tap", (event) => event.target === this.core && events.nothing());
    this.core.on("mouseover", "node, edge", () => (container.style.cursor = "pointer"));
    this.core.on("mouseout", "node, edge", () => (container.style.cursor = ""));
    this.core.on("dragpan pinchzoom", () => (this.moved = true));
    this.size = { width: container.clientWidth, height: container.clientHeight };
    this.watch = new ResizeObserver(() => this.resized(events));
    this.watch.observe(container);
    container.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Shows another drawing. `done` is called when all of it is there. */
  draw(drawing: Drawing, done: () => void): void {
    const all = elements(drawing),
      mine = ++this.pending;
    this.core.elements().remove();
    const next = (from: number) => {
      if (mine !== this.pending) return;
      const to = from === 0 ? first : from + slice;
      this.core.batch(() => this.core.add(all.slice(from, to)));
      if (from === 0) this.fit();
      if (to < all.length) requestAnimationFrame(() => next(to));
      else done();
    };
    const first = drawing.boxes.length + slice; // every box at once: they say how large it will be
    next(0);
  }

  fit(): void {
    this.moved = false;
    this.core.resize();
    this.core.fit(undefined, 20);
    if (this.core.zoom() > closest) this.core.zoom(closest);
    if (this.core.zoom() === closest) this.core.center();
  }

  fitBox(name: string): void {
    this.moved = true;
    const box = this.core.getElementById(`box:${name}`);
    if (box.empty()) return;
    this.core.fit(box, 20);
    if (this.core.zoom() > closest) {
      this.core.zoom(closest);
      this.core.center(box);
    }
  }

  zoom(factor: number, at?: { x: number; y: number }): void {
    const middle = { x: this.container.clientWidth / 2, y: this.container.clientHeight / 2 };
    this.moved = true;
    this.core.zoom({ level: this.core.zoom() * factor, renderedPosition: at ?? middle });
  }

  pan(x: number, y: number): void {
    this.moved = true;
    this.core.panBy({ x, y });
  }

  /** Marks a test and its arrows, wherever it stands, and brings it into view. */
  choose(test: string | null): void {
    this.core.batch(() => {
      this.core.elements(".chosen").removeClass("chosen");
      if (test === null) return;
      const nodes = this.core.nodes("[test]").filter((node) => node.data("test") === test);
      nodes.addClass("chosen").connectedEdges().addClass("chosen");
      const seen = this.core.extent();
      const inside = nodes.toArray().some((node) => {
        const { x, y } = (node as NodeSingular).position();
        return x > seen.x1 && x < seen.x2 && y > seen.y1 && y < seen.y2;
      });
      if (!inside && nodes.nonempty()) this.core.center(nodes[0]);
    });
  }

  /** Fades what does not belong to these dependences; null shows all. */
  keep(dependences: Set<string> | null): void {
    this.core.batch(() => {
      this.core.elements(".faded").removeClass("faded");
      if (!dependences) return;
      const edges = this.core.edges().filter((edge) => dependences.has(edge.data("dependence")));
      const nodes = edges.connectedNodes();
      this.core.elements().not(edges).not(nodes).not(".box").addClass("faded");
      const groups = new Set(nodes.map((node) => node.data("group")));
      this.core
        .nodes(".box")
        .filter((box) => !groups.has(box.data("name")))
        .addClass("faded");
    });
  }

  destroy(): void {
    ++this.pending;
    this.watch.disconnect();
    this.core.destroy();
  }

  restyle(): void {
    this.core.style(graphStyle(this.many));
  }

  /** All of it, in the colours of now; for paper. */
  picture(): string {
    return this.core.png({ full: true, scale: 1, maxWidth: 2400, maxHeight: 2400, bg: "#ffffff" });
  }

  /** Another window, a turned telephone: Cytoscape alone would cut off what was in the middle. */
  private resized(events: Events): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || (width === this.size.width && height === this.size.height)) return;
    this.size = { width, height };
    this.core.resize();
    if (!this.moved) events.resized();
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const corner = this.container.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY / 300), {
      x: event.clientX - corner.left,
      y: event.clientY - corner.top,
    });
  }
}
