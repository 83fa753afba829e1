// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Beside the graph: the carriers, the tests of one, and what is known of one test. All of it can be
// reached without the picture, by keyboard and by screen reader.
import { button, h, note, type Child } from "../dom";
import { mark, roleChip } from "../marks";
import { partnersOf, type Dependence, type Suite } from "../model";
import { claim, count, number, placeText } from "../text";
import type { Box, Drawing } from "./drawing";

export interface PanelEvents {
  chooseBox(name: string | null): void;
  chooseTest(test: string): void;
  openCard(id: string): void;
}

const most = 200;

function listOf<T>(items: T[], item: (one: T) => Child[]): HTMLElement[] {
  const list = h(
    "ul",
    { class: "panel-list" },
    ...items.slice(0, most).map((one) => h("li", {}, ...item(one))),
  );
  return items.length > most
    ? [list, note(`and ${number(items.length - most)} more; the search finds them`)]
    : [list];
}

export class Panel {
  readonly element = h("div", {
    class: "panel",
    tabindex: -1,
    role: "group",
    "aria-label": "Details of the graph",
  });
  private drawing: Drawing | null = null;

  constructor(
    private readonly suite: Suite,
    private readonly roles: Map<string, Set<string>>,
    private readonly events: PanelEvents,
  ) {}

  showAll(drawing: Drawing): void {
    this.drawing = drawing;
    const boxes = [...drawing.boxes].sort((a, b) => b.nodes.length - a.nodes.length);
    const tests = new Set([...drawing.nodes.values()].map((node) => node.test)).size;
    const rest = this.suite.tests.length - tests;
    this.set(
      h("h3", {}, "Carriers"),
      note(
        `${count(tests, "test")} ${tests === 1 ? "is" : "are"} drawn${rest > 0 ? `; the other ${number(rest)} ${rest === 1 ? "has" : "have"} no arrows` : ""}.`,
      ),
      ...listOf(boxes, (box) => [
        this.boxButton(box),
        h("span", { class: "muted" }, number(box.nodes.length)),
      ]),
    );
  }

  showBox(name: string): void {
    const box = this.drawing?.boxes.find((one) => one.name === name);
    if (!box) return;
    this.set(
      this.back(),
      h("h3", {}, h("code", {}, name)),
      note(count(box.nodes.length, "test")),
      ...listOf(box.nodes, (node) => [mark(node.role), this.testButton(node.test)]),
    );
  }

  showTest(test: string): void {
    const known = this.suite.tests.find((one) => one.name === test);
    const own = this.suite.dependences.filter((d) => d.test === test);
    const caused = this.suite.dependences.filter((d) => d.test !== test && partnersOf(d).includes(test));
    const cleaned = this.suite.dependences.filter((d) => d.cleaners.includes(test));
    this.set(
      this.back(),
      h("h3", {}, h("code", {}, test)),
      h("p", {}, ...[...(this.roles.get(test) ?? ["data"])].map(roleChip)),
      known?.file ? h("p", { class: "place" }, placeText(known)) : null,
      ...this.part("Depends on others", own, (d) => claim(d)),
      ...this.part("Changes the result of", caused, (d) => d.test),
      ...this.part("Cleans up for", cleaned, (d) => d.test),
      ...this.data(test),
    );
  }

  private part(title: string, list: Dependence[], text: (d: Dependence) => string): Child[] {
    if (list.length === 0) return [];
    const item = (d: Dependence) => [
      button(d.id, () => this.events.openCard(d.id), { class: "link", "aria-label": `Card ${d.id}` }),
      h("span", {}, ` ${text(d)}`),
    ];
    return [h("h4", {}, title), ...listOf(list, item)];
  }

  /** Data dependences are many: what is read and written is enough here. */
  private data(test: string): Child[] {
    const states = new Set<string>();
    for (const flow of this.suite.data_flows) {
      for (const one of flow.dependences) {
        if (one.reader === test || one.writer === test)
          for (const state of one.states) states.add(flow.states[state]?.name ?? "unnamed state");
      }
    }
    if (states.size === 0) return [];
    return [h("h4", {}, "Shares data through"), ...listOf([...states], (name) => [h("code", {}, name)])];
  }

  private boxButton(box: Box): HTMLElement {
    return button(h("code", {}, box.name), () => this.events.chooseBox(box.name), { class: "link" });
  }

  private testButton(test: string): HTMLElement {
    return button(h("code", {}, test), () => this.events.chooseTest(test), { class: "link" });
  }

  private back(): HTMLElement {
    return button("← All carriers", () => this.events.chooseBox(null), { class: "quiet" });
  }

  private set(...children: Child[]): void {
    const focused = this.element.contains(document.activeElement);
    this.element.replaceChildren(...h("div", {}, ...children).childNodes);
    this.element.scrollTop = 0;
    if (focused) this.element.focus({ preventScroll: true });
  }
}
