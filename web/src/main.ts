// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Puts the page together: one suite at a time, its parts from the summary to single tests, and the
// filter that they share.
import "./style/base.css";
import "./style/parts.css";
import "./style/evidence.css";
import "./style/charts.css";
import "./style/paper.css";
import { asides } from "./asides";
import { CardList } from "./cards";
import { curves } from "./curves";
import { h } from "./dom";
import { isolationCost, TestTable } from "./durations";
import { Filter, filterBar, listenForKeys } from "./filter";
import { header, navigation, watchTheme } from "./frame";
import { GraphView } from "./graph/graph";
import { readReport, type Report, type Suite } from "./model";
import { pairMap } from "./pairs";
import { summary } from "./summary";
import { baseName } from "./text";
import { timeline } from "./timeline";

interface Shown {
  element: HTMLElement;
  cards: CardList;
  graph: GraphView;
  restyle(): void;
}

let shown: Shown | null = null;

function suitePage(suite: Suite): Shown {
  const filter = new Filter();
  const cards = new CardList(suite, filter),
    map = pairMap(suite);
  const graph = new GraphView(suite, filter, (id) => void cards.show(id));
  const parts = [
    graph.element,
    cards.element,
    map.element,
    timeline(suite),
    isolationCost(suite),
    curves(suite),
    asides(suite),
    new TestTable(suite, filter).element,
  ];
  const element = h("div", { class: "suite" }, summary(suite, filter), filterBar(suite, filter), ...parts);
  const restyle = () => {
    graph.restyle();
    map.restyle();
  };
  return { element, cards, graph, restyle };
}

function show(report: Report, index: number, app: HTMLElement): void {
  const suite = report.suites[index];
  shown?.graph.leave();
  shown = suitePage(suite);
  const top = header(report, index, (other) => show(report, other, app));
  app.replaceChildren(
    top,
    h(
      "div",
      { class: "body" },
      navigation(shown.element),
      h("main", { id: "content", tabindex: -1 }, shown.element),
    ),
  );
  document.title = `Test dependence in ${baseName(suite.suite.binary)}`;
  followHash();
}

/** "#D12" opens a card. Other names are places of the page, and the browser's own business. */
function followHash(): void {
  if (/^#D\d+$/.test(location.hash)) shown?.cards.show(location.hash.slice(1));
}

/** A link to a card opens it, also when it is the address already. */
function followLinks(event: MouseEvent): void {
  const link = (event.target as Element).closest?.("a[href^='#D']");
  const id = link?.getAttribute("href")?.slice(1);
  if (!id || !shown?.cards.show(id)) return;
  event.preventDefault();
  history.replaceState(null, "", `#${id}`);
}

function prepareForPaper(): void {
  shown?.cards.openAll();
  shown?.graph.forPaper();
}

function start(): void {
  const app = document.getElementById("app")!;
  try {
    show(readReport(), 0, app);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    app.replaceChildren(h("main", { id: "content" }, h("h1", {}, "Gordian report"), h("p", {}, text)));
    return;
  }
  listenForKeys();
  watchTheme(() => shown?.restyle());
  document.addEventListener("click", followLinks);
  addEventListener("hashchange", followHash);
  addEventListener("beforeprint", prepareForPaper);
  addEventListener("afterprint", () => shown?.restyle());
  performance.mark("gordian-ready");
}

start();
