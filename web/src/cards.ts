// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The list of dependences, by carrier. A thousand of them are a page at a time, so that what comes
// below stays in reach.
import { card, openCard } from "./card";
import { button, h, missing, note, section } from "./dom";
import { everything, matches, type Filter, type Wanted } from "./filter";
import { byCarrier, carrierOf, notExplained, type Dependence, type Suite } from "./model";
import { count } from "./text";

const pageSize = 50;

function groupHead(name: string, own: Dependence[]): HTMLElement {
  const known = own[0].explanation?.carriers[0];
  const kind = known ? [known.kind.replace("_", " "), known.type].filter(Boolean).join(", ") : "";
  const title = name === notExplained ? "Not explained" : h("code", {}, name);
  return h(
    "h3",
    { class: "group" },
    title,
    h("span", { class: "muted" }, ` ${[kind, count(own.length, "dependence")].filter(Boolean).join(" · ")}`),
  );
}

export class CardList {
  readonly element: HTMLElement;
  private readonly made = new Map<string, HTMLDetailsElement>();
  private readonly list = h("div", { class: "cards" });
  private readonly more = h("p", { class: "more" });
  private shown: Dependence[] = [];
  private limit = pageSize;

  constructor(
    private readonly suite: Suite,
    private readonly filter: Filter,
  ) {
    const intro = note(
      "One card for each, by the state that carries it. Open one for its proof, its lines and its patch.",
    );
    const none = missing("None were found in what was explored. The summary says how much that was.");
    this.element = section(
      "dependences",
      "Dependences",
      ...(suite.dependences.length > 0 ? [intro, this.list, this.more] : [none]),
    );
    filter.follow((wanted) => this.apply(wanted));
    if (this.shown.length > 0 && this.shown.length <= 3) this.open(this.shown[0]);
  }

  /** Opens a card and brings it into view, whatever the filter says. */
  show(id: string): boolean {
    const d = this.suite.dependences.find((one) => one.id === id);
    if (!d) return false;
    if (!matches(d, this.filter.wanted)) this.filter.want(everything);
    this.limit = Math.max(this.limit, this.shown.indexOf(d) + 1);
    this.draw();
    const details = this.open(d);
    details.scrollIntoView({ block: "start" });
    details.querySelector("summary")?.focus({ preventScroll: true });
    return true;
  }

  /** For paper: what is listed, with everything in it. */
  openAll(): void {
    for (const d of this.shown.slice(0, this.limit)) {
      for (const inner of this.open(d).querySelectorAll("details")) inner.open = true;
    }
  }

  private apply(wanted: Wanted): void {
    const found = this.suite.dependences.filter((d) => matches(d, wanted));
    this.shown = [...byCarrier(found).values()].flat();
    this.limit = pageSize;
    this.draw();
  }

  private cardOf(d: Dependence): HTMLDetailsElement {
    let own = this.made.get(d.id);
    if (!own) this.made.set(d.id, (own = card(d)));
    return own;
  }

  private open(d: Dependence): HTMLDetailsElement {
    const own = this.cardOf(d);
    openCard(own, d);
    return own;
  }

  private draw(): void {
    const parts: HTMLElement[] = [];
    for (const [name, own] of byCarrier(this.shown.slice(0, this.limit))) {
      const whole = this.shown.filter((d) => carrierOf(d) === name);
      parts.push(groupHead(name, whole), ...own.map((d) => this.cardOf(d)));
    }
    if (parts.length === 0) parts.push(note("No dependence matches the filter."));
    this.list.replaceChildren(...parts);
    this.drawMore();
  }

  private drawMore(): void {
    const left = this.shown.length - this.limit;
    const raise = (by: number) => () => {
      this.limit += by;
      this.draw();
    };
    const step = Math.min(left, pageSize);
    this.more.replaceChildren(
      ...(left > 0
        ? [
            button(`Show ${step} more`, raise(step)),
            h(
              "span",
              { class: "muted" },
              `${this.limit} of ${count(this.shown.length, "dependence")} are listed`,
            ),
          ]
        : []),
    );
  }
}
