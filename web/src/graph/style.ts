// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How Cytoscape paints the graph: the colours of the page's theme and the shapes of marks.ts.
import type { StylesheetJson } from "cytoscape";
import { colours } from "../dom";

const names = [
  "text",
  "muted",
  "line",
  "page",
  "surface",
  "accent",
  "victim",
  "brittle",
  "self_dependent",
  "polluter",
  "state_setter",
  "cleaner",
  "data",
] as const;

const shapes: Record<string, string> = {
  polluter: "ellipse",
  state_setter: "round-rectangle",
  victim: "diamond",
  brittle: "pentagon",
  self_dependent: "hexagon",
  cleaner: "triangle",
  data: "ellipse",
};

/** `many`: arrows are straight, which is quicker. */
export function graphStyle(many: boolean): StylesheetJson {
  const c = colours(names);
  const font = getComputedStyle(document.body).fontFamily;
  const arrow = (colour: string) => ({ "line-color": colour, "target-arrow-color": colour });
  const role = (name: keyof typeof shapes) => ({
    selector: `node.${name}`,
    style: { "background-color": c[name as "victim"], shape: shapes[name] },
  });
  const label = {
    label: "data(label)",
    "font-size": 13,
    "font-family": font,
    color: c.text,
    "text-valign": "center",
    "text-halign": "right",
    "text-margin-x": 7,
    "text-max-width": "200px",
    "text-background-color": c.surface,
    "text-background-opacity": 0.8,
    "text-background-padding": "1px",
    "text-wrap": "ellipsis",
    "min-zoomed-font-size": 6,
  };
  return [
    { selector: "*", style: { "z-index-compare": "manual" } },
    { selector: "node", style: { ...label, width: 18, height: 18, "z-index": 2 } },
    { selector: "node.left", style: { "text-halign": "left", "text-margin-x": -7 } },
    {
      selector: "node.middle",
      style: {
        "text-halign": "center",
        "text-valign": "bottom",
        "text-margin-x": 0,
        "text-margin-y": 4,
        "text-max-width": "190px",
      },
    },
    {
      selector: "node.box",
      style: {
        "background-color": c.surface,
        "border-color": c.line,
        "border-width": 1,
        shape: "round-rectangle",
        width: "data(width)",
        height: "data(height)",
        "text-valign": "top",
        "text-halign": "center",
        "text-margin-x": 0,
        "text-background-opacity": 0,
        "text-margin-y": "data(down)",
        "text-max-width": "data(room)",
        "font-size": "data(size)",
        "font-weight": "bold",
        color: c.muted,
        "min-zoomed-font-size": 5,
        "z-index": 0,
      },
    },
    ...Object.keys(shapes).map(role),
    { selector: "node.data", style: { width: 11, height: 11 } },
    {
      selector: "edge",
      style: {
        width: 2,
        "curve-style": many ? "straight" : "bezier",
        "target-arrow-shape": "triangle",
        "loop-direction": "-90deg",
        "control-point-step-size": 26,
        "arrow-scale": 1.1,
        "target-distance-from-node": 3,
        "z-index": 1,
        ...arrow(c.victim),
      },
    },
    { selector: "edge.cleans", style: { "line-style": "dashed", ...arrow(c.cleaner) } },
    { selector: "edge.data", style: { width: 1, "line-style": "dotted", ...arrow(c.muted) } },
    { selector: ".faded", style: { opacity: 0.12 } },
    {
      selector: "node.chosen",
      style: {
        "border-width": 3,
        "border-color": c.accent,
        "font-weight": "bold",
        width: 24,
        height: 24,
        "z-index": 3,
      },
    },
    { selector: "edge.chosen", style: { width: 4 } },
  ] as unknown as StylesheetJson;
}
