// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which tests the graph has and where they stand. A pure function of the report: the same report
// always looks the same, and thousands of tests are placed in milliseconds, where a force-directed
// layout would block the page for seconds. Tests that share a carrier stand in one box, those that
// write left of those that read; a test stands in every box that it takes part in.
import { carrierOf, partnerRole, partnersOf, type DataFlow, type Dependence, type Suite } from "../model";

export interface GraphNode {
  id: string;
  test: string;
  role: string;
  group: string;
  x: number;
  y: number;
  side: number; // 0 left, 1 in the middle, 2 right
}

export interface GraphEdge {
  id: string;
  from: string;
  to: string;
  kind: "manifest" | "cleans" | "data";
  dependence?: string;
}

export interface Box {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
  title: number;
  nodes: GraphNode[];
}

export interface Drawing {
  nodes: Map<string, GraphNode>;
  edges: GraphEdge[];
  boxes: Box[];
}

/** Columns from left to right, each with its width, and where its nodes stand in it. */
const columns = [
  { width: 230, node: 215, gap: 110 }, // what writes: names left of it, arrows to the right
  { width: 200, node: 100, gap: 60 }, // cleaners: names below
  { width: 230, node: 12, gap: 0 }, // what trips over it: names right of it
];
const rowHeight = 42;
const margin = { x: 22, top: 24, bottom: 14, between: 40 };
const manyNodes = 150; // seen from afar, only large titles can be read

const columnOf: Record<string, number> = {
  polluter: 0,
  state_setter: 0,
  cleaner: 1,
  victim: 2,
  brittle: 2,
  self_dependent: 2,
};

class Builder {
  readonly nodes = new Map<string, GraphNode>();
  readonly edges: GraphEdge[] = [];

  node(group: string, test: string, role: string): string {
    const id = `${group}\n${test}`;
    const known = this.nodes.get(id);
    if (!known) this.nodes.set(id, { id, test, role, group, x: 0, y: 0, side: 0 });
    else if (known.role === "data" || (role !== "data" && columnOf[role] > columnOf[known.role]))
      known.role = role;
    return id;
  }

  edge(from: string, to: string, kind: GraphEdge["kind"], dependence?: string): void {
    this.edges.push({ id: `e${this.edges.length}`, from, to, kind, dependence });
  }

  addDependence(d: Dependence, cleaners: boolean): void {
    const group = carrierOf(d),
      target = this.node(group, d.test, d.role);
    for (const test of partnersOf(d))
      this.edge(this.node(group, test, partnerRole(d)), target, "manifest", d.id);
    if (d.role === "self_dependent") this.edge(target, target, "manifest", d.id);
    if (!cleaners) return;
    for (const test of d.cleaners) this.edge(this.node(group, test, "cleaner"), target, "cleans", d.id);
  }

  addFlow(flow: DataFlow): void {
    for (const one of flow.dependences) {
      const group = flow.states[one.states[0]]?.name ?? "unnamed state";
      const from = this.node(group, one.writer, "data"),
        to = this.node(group, one.reader, "data");
      this.edge(from, to, one.verdict === "manifest" ? "manifest" : "data");
    }
  }
}

/** What only shares data stands where its arrows want it: readers right, mere writers left. */
function columnsOf(nodes: GraphNode[], readers: Set<string>): GraphNode[][] {
  const found: GraphNode[][] = columns.map(() => []);
  for (const node of nodes) {
    node.side = columnOf[node.role] ?? (readers.has(node.id) ? 2 : 0);
    found[node.side].push(node);
  }
  return found;
}

/** Gives the nodes of a box their places in it, in columns by role; tall columns are folded. */
function fillBox(name: string, nodes: GraphNode[], readers: Set<string>, title: number): Box {
  const filled = columnsOf(nodes, readers);
  const tallest = Math.max(...filled.map((own) => own.length));
  const rows = Math.max(8, Math.ceil(Math.sqrt(tallest * 4))),
    high = Math.min(tallest, rows);
  const top = margin.top + title;
  let x = margin.x,
    gap = 0;
  filled.forEach((own, column) => {
    if (own.length === 0) return;
    const { width, node: inset } = columns[column];
    x += gap;
    own.forEach((node, i) => {
      // Cleaners stand between two rows, out of the way of the arrows that pass them.
      const shift = column === 1 ? 1 : 0.5;
      node.x = x + Math.floor(i / rows) * width + inset;
      node.y = top + ((i % rows) + (high - Math.min(own.length, rows)) / 2 + shift) * rowHeight;
    });
    x += Math.ceil(own.length / rows) * width;
    gap = columns[column].gap;
  });
  const height = top + (high + (filled[1].length > 0 ? 0.7 : 0)) * rowHeight + margin.bottom;
  return { name, x: 0, y: 0, width: Math.max(x + margin.x, 320), height, title, nodes };
}

interface Size {
  width: number;
  height: number;
}

/** Puts boxes on shelves of this width, in their order; the size of the whole. */
function shelve(boxes: Box[], width: number): Size {
  let x = 0,
    y = 0,
    shelf = 0,
    widest = 0;
  for (const box of boxes) {
    if (x > 0 && x + box.width > width) {
      x = 0;
      y += shelf + margin.between;
      shelf = 0;
    }
    box.x = x;
    box.y = y;
    x += box.width + margin.between;
    widest = Math.max(widest, x - margin.between);
    shelf = Math.max(shelf, box.height);
  }
  return { width: widest, height: y + shelf };
}

/** The shelves that can be shown largest in the given view, the tallest boxes first. */
function placeBoxes(boxes: Box[], view: Size): void {
  boxes.sort((a, b) => b.height - a.height || b.nodes.length - a.nodes.length);
  const widest = Math.max(...boxes.map((box) => box.width));
  const scale = (width: number) => {
    const whole = shelve(boxes, width);
    return Math.min(view.width / whole.width, view.height / whole.height);
  };
  const widths = Array.from({ length: 40 }, (_, i) => widest * 1.2 ** i);
  const best = widths.reduce((a, b) => (scale(b) > scale(a) ? b : a));
  shelve(boxes, best);
  for (const box of boxes) {
    for (const node of box.nodes) {
      node.x += box.x;
      node.y += box.y;
    }
  }
}

export interface Choice {
  cleaners: boolean;
  data: boolean;
}

export function drawing(suite: Suite, choice: Choice, view: Size): Drawing {
  const builder = new Builder();
  for (const d of suite.dependences) builder.addDependence(d, choice.cleaners);
  if (choice.data) for (const flow of suite.data_flows) builder.addFlow(flow);
  const groups = new Map<string, GraphNode[]>();
  for (const node of builder.nodes.values()) {
    const own = groups.get(node.group);
    if (own) own.push(node);
    else groups.set(node.group, [node]);
  }
  const readers = new Set(builder.edges.map((edge) => edge.to));
  const title = builder.nodes.size > manyNodes ? 44 : 16;
  const boxes = [...groups].map(([name, nodes]) => fillBox(name, nodes, readers, title));
  if (boxes.length > 0) placeBoxes(boxes, view);
  return { nodes: builder.nodes, edges: builder.edges, boxes };
}
