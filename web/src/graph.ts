// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The graph of tests. Cytoscape.js draws it: it is maintained, needs no WebGL, and stays usable with
// thousands of nodes on a canvas. Places are ours: tests that share a carrier stand together,
// polluters left of what they change, so that the same report always looks the same and no layout
// has to be computed for seconds.
import cytoscape, { type Core, type ElementDefinition } from "cytoscape";
import { carrierOf, roleWords, type DataFlow, type Dependence, type Suite } from "./model";
import { count, h, section } from "./dom";
import { matches, showCard, type CardFilter } from "./cards";

const columnOf: Record<string, number> = { polluter: 0, state_setter: 0, cleaner: 1, victim: 2, brittle: 2, self_dependent: 2, data: 3 };

interface Node {
  id: string;
  test: string;
  role: string;
  group: string;
}

interface Edge {
  from: string;
  to: string;
  kind: string;
  dependence?: string;
}

interface Drawing {
  nodes: Map<string, Node>;
  edges: Edge[];
}

function addDependence(drawing: Drawing, d: Dependence): void {
  const group = carrierOf(d);
  const node = (test: string, role: string): string => {
    const id = `${group}\n${test}`;
    const known = drawing.nodes.get(id);
    if (!known) drawing.nodes.set(id, { id, test, role, group });
    else if (columnOf[role] > columnOf[known.role]) known.role = role;
    return id;
  };
  const target = node(d.test, d.role);
  const partnerRole = d.role === "brittle" ? "state_setter" : "polluter";
  const partners = d.role === "brittle" ? d.state_setters : d.polluters;
  for (const test of partners.length > 0 ? partners : d.by) {
    if (test !== d.test) drawing.edges.push({ from: node(test, partnerRole), to: target, kind: "manifest", dependence: d.id });
  }
  for (const test of d.cleaners) drawing.edges.push({ from: node(test, "cleaner"), to: target, kind: "cleans", dependence: d.id });
}

function addFlow(drawing: Drawing, flow: DataFlow): void {
  for (const edge of flow.dependences) {
    const group = flow.states[edge.states[0]]?.name ?? "data";
    const node = (test: string): string => {
      const id = `${group}\n${test}`;
      if (!drawing.nodes.has(id)) drawing.nodes.set(id, { id, test, role: "data", group });
      return id;
    };
    drawing.edges.push({ from: node(edge.writer), to: node(edge.reader), kind: edge.verdict === "manifest" ? "manifest" : "data" });
  }
}

/** Groups in rows as wide as the whole is high; inside of a group a column for each kind of role. */
function place(drawing: Drawing): ElementDefinition[] {
  const groups = new Map<string, Node[]>();
  for (const node of drawing.nodes.values()) {
    if (!groups.has(node.group)) groups.set(node.group, []);
    groups.get(node.group)!.push(node);
  }
  const elements: ElementDefinition[] = [];
  const perRow = Math.max(1, Math.ceil(Math.sqrt(groups.size / 2)));
  let x = 0, y = 0, rowHeight = 0, inRow = 0;
  for (const [name, nodes] of groups) {
    elements.push({ data: { id: `group:${name}`, label: name }, classes: "group", selectable: false, grabbable: false });
    const filled = [0, 0, 0, 0];
    for (const node of nodes.sort((a, b) => (a.test < b.test ? -1 : 1))) {
      const column = columnOf[node.role];
      elements.push({
        data: { id: node.id, label: node.test, parent: `group:${name}`, test: node.test },
        classes: node.role,
        position: { x: x + column * 260, y: y + filled[column]++ * 46 },
      });
    }
    rowHeight = Math.max(rowHeight, Math.max(...filled) * 46);
    x += 4 * 260;
    if (++inRow === perRow) {
      x = 0;
      y += rowHeight + 120;
      rowHeight = inRow = 0;
    }
  }
  drawing.edges.forEach((edge, i) => elements.push({ data: { id: `e${i}`, source: edge.from, target: edge.to, dependence: edge.dependence }, classes: edge.kind }));
  return elements;
}

function colours(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  const names = ["text", "muted", "line", "surface", "victim", "brittle", "self_dependent", "polluter", "state_setter", "cleaner", "data"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

function styleSheet(): cytoscape.StylesheetJson {
  const c = colours();
  const role = (name: string) => ({ selector: `node.${name}`, style: { "background-color": c[name] } });
  return [
    { selector: "node", style: { label: "data(label)", "font-size": 12, color: c.text, "text-valign": "center", "text-halign": "right", "text-margin-x": 6, width: 18, height: 18, "background-color": c.data, "text-max-width": "210px", "text-wrap": "ellipsis", "min-zoomed-font-size": 7 } },
    { selector: "node.group", style: { "background-color": c.surface, "border-color": c.line, "border-width": 1, shape: "round-rectangle", padding: "24px", "text-valign": "top", "text-halign": "center", "font-size": 13, "font-weight": "bold", color: c.muted, "min-zoomed-font-size": 6 } },
    ...["victim", "brittle", "self_dependent", "polluter", "state_setter", "cleaner", "data"].map(role),
    { selector: "node.victim, node.brittle, node.self_dependent", style: { shape: "diamond", width: 22, height: 22 } },
    { selector: "node.cleaner", style: { shape: "triangle" } },
    { selector: "edge", style: { width: 2, "curve-style": "bezier", "target-arrow-shape": "triangle", "line-color": c.victim, "target-arrow-color": c.victim } },
    { selector: "edge.cleans", style: { "line-style": "dashed", "line-color": c.cleaner, "target-arrow-color": c.cleaner } },
    { selector: "edge.data", style: { width: 1, "line-style": "dotted", "line-color": c.muted, "target-arrow-color": c.muted } },
    { selector: ".faded", style: { opacity: 0.12 } },
  ] as cytoscape.StylesheetJson;
}

export interface GraphView {
  element: HTMLElement;
  apply(filter: CardFilter): void;
  restyle(): void;
}

export function graph(suite: Suite): GraphView | null {
  const flows = suite.data_flows.filter((flow) => flow.dependences.length > 0);
  if (suite.dependences.length === 0 && flows.length === 0) return null;
  const canvas = h("div", { class: "graph-canvas", role: "img", "aria-label": `Graph of ${count(suite.dependences.length, "dependence")}; the list below says the same in words` });
  const withData = h("input", { type: "checkbox", id: "graph-data" }) as HTMLInputElement;
  let core: Core | null = null;
  let last: CardFilter = { text: "", role: "", carrier: "" };

  const draw = () => {
    const drawing: Drawing = { nodes: new Map(), edges: [] };
    for (const d of suite.dependences) addDependence(drawing, d);
    if (withData.checked) for (const flow of flows) addFlow(drawing, flow);
    core?.destroy();
    core = cytoscape({ container: canvas, elements: place(drawing), style: styleSheet(), layout: { name: "preset", fit: true, padding: 24 }, minZoom: 0.02, maxZoom: 3, wheelSensitivity: 0.3, hideEdgesOnViewport: true, textureOnViewport: drawing.nodes.size > 500, autoungrabify: true });
    core.on("tap", "edge", (event) => showCard(event.target.data("dependence")));
    core.on("tap", "node", (event) => {
      const test = event.target.data("test");
      const own = suite.dependences.find((d) => d.test === test) ?? suite.dependences.find((d) => d.polluters.includes(test) || d.state_setters.includes(test) || d.by.includes(test));
      if (own) showCard(own.id);
    });
    if (core.zoom() > 1.2) core.zoom({ level: 1.2, renderedPosition: { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 } });
    apply(last);
  };
  const apply = (filter: CardFilter) => {
    last = filter;
    if (!core) return;
    const kept = new Set(suite.dependences.filter((d) => matches(d, filter)).map((d) => d.id));
    const all = !filter.text && !filter.role && !filter.carrier;
    core.batch(() => {
      core!.elements().removeClass("faded");
      if (all) return;
      const edges = core!.edges().filter((edge) => kept.has(edge.data("dependence")));
      core!.elements().not(edges).not(edges.connectedNodes()).not(".group").addClass("faded");
    });
  };
  const zoom = (factor: number) => core?.zoom({ level: core.zoom() * factor, renderedPosition: { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 } });
  withData.addEventListener("change", draw);
  // Drawn when it comes into view: a page that is only read need not pay for it.
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    draw();
  }).observe(canvas);

  const legend = h("ul", { class: "legend" }, ...["polluter", "state_setter", "victim", "brittle", "self_dependent", "cleaner"].map((role) => h("li", {}, h("span", { class: `dot ${role}` }), roleWords[role])));
  const buttons = h(
    "div",
    { class: "graph-tools" },
    h("button", { type: "button", click: () => zoom(1.3), "aria-label": "Zoom in" }, "+"),
    h("button", { type: "button", click: () => zoom(1 / 1.3), "aria-label": "Zoom out" }, "−"),
    h("button", { type: "button", click: () => core?.fit(undefined, 24) }, "Fit"),
    flows.length > 0 ? h("label", { for: "graph-data" }, withData, " data dependences too") : null,
  );
  const element = section("graph", "Graph", h("p", { class: "note" }, "Each box is a carrier: the state through which its tests depend on each other. Click a test or an arrow for its card."), legend, buttons, canvas);
  return { element, apply, restyle: () => core?.style(styleSheet()) };
}
