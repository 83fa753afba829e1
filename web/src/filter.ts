// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the reader has asked to see. Cards, graph and tests follow one filter; its bar stays in view.
import { button, h } from "./dom";
import {
  byCarrier,
  carrierOf,
  isRepaired,
  notExplained,
  partnersOf,
  type Dependence,
  type Suite,
} from "./model";
import { count, roleWords } from "./text";

export interface Wanted {
  text: string;
  role: string;
  carrier: string | null;
  state: string;
}

export const everything: Wanted = { text: "", role: "", carrier: null, state: "" };

const states: Record<string, [string, (d: Dependence) => boolean]> = {
  patched: ["with a verified patch", isRepaired],
  unpatched: ["without a verified patch", (d) => !isRepaired(d)],
  unexplained: ["not explained", (d) => carrierOf(d) === notExplained],
};

/** The words of each dependence, in small letters, made once: thousands are searched at each key. */
const wordsOf = new WeakMap<Dependence, string>();

function words(d: Dependence): string {
  let known = wordsOf.get(d);
  if (known === undefined) {
    const carriers = d.explanation?.carriers.map((one) => one.name) ?? [];
    known = [d.id, d.test, ...d.witness, ...partnersOf(d), ...carriers].join("\n").toLowerCase();
    wordsOf.set(d, known);
  }
  return known;
}

export function matches(d: Dependence, wanted: Wanted): boolean {
  if (wanted.role && d.role !== wanted.role) return false;
  if (wanted.carrier !== null && carrierOf(d) !== wanted.carrier) return false;
  if (wanted.state && !states[wanted.state][1](d)) return false;
  return !wanted.text || words(d).includes(wanted.text.toLowerCase());
}

export function isEverything(wanted: Wanted): boolean {
  return !wanted.text && !wanted.role && wanted.carrier === null && !wanted.state;
}

type Follower = (wanted: Wanted) => void;

export class Filter {
  wanted = everything;
  private followers: Follower[] = [];

  follow(follower: Follower): void {
    this.followers.push(follower);
    follower(this.wanted);
  }

  want(change: Partial<Wanted>): void {
    this.wanted = { ...this.wanted, ...change };
    for (const follower of this.followers) follower(this.wanted);
  }
}

function choice(
  id: string,
  label: string,
  texts: string[],
  chosen: (index: number) => void,
): [HTMLElement, HTMLSelectElement] {
  const options = texts.map((text, i) => h("option", { value: i }, text));
  const select = h(
    "select",
    { id, input: () => chosen(select.selectedIndex) },
    ...options,
  ) as HTMLSelectElement;
  return [h("label", { for: id }, h("span", {}, label), select), select];
}

/** Search box, choices, and how many are shown. "/" goes to the box from anywhere. */
export function filterBar(suite: Suite, filter: Filter): HTMLElement {
  const roles = ["", ...new Set(suite.dependences.map((d) => d.role))];
  const carriers = [null, ...byCarrier(suite.dependences).keys()];
  const kinds = ["", ...Object.keys(states).filter((kind) => suite.dependences.some(states[kind][1]))];
  const box = h("input", {
    type: "search",
    id: "filter-text",
    placeholder: "Test, carrier or id",
    autocomplete: "off",
    spellcheck: "false",
  }) as HTMLInputElement;
  box.addEventListener("input", () => filter.want({ text: box.value.trim() }));
  const [roleLabel, role] = choice(
    "filter-role",
    "Role",
    roles.map((one) => roleWords[one] ?? "Every role"),
    (i) => filter.want({ role: roles[i] }),
  );
  const [carrierLabel, carrier] = choice(
    "filter-carrier",
    "Carrier",
    carriers.map((one) => one ?? "Every carrier"),
    (i) => filter.want({ carrier: carriers[i] }),
  );
  const [stateLabel, state] = choice(
    "filter-state",
    "State",
    kinds.map((one) => states[one]?.[0] ?? "Every state"),
    (i) => filter.want({ state: kinds[i] }),
  );
  const reset = button("Clear", () => filter.want(everything), { class: "quiet" });
  const shown = h("output", { class: "shown", role: "status" });
  filter.follow((wanted) => {
    if (box.value.trim() !== wanted.text) box.value = wanted.text;
    role.selectedIndex = roles.indexOf(wanted.role);
    carrier.selectedIndex = carriers.indexOf(wanted.carrier);
    state.selectedIndex = kinds.indexOf(wanted.state);
    reset.hidden = isEverything(wanted);
    const found = suite.dependences.filter((d) => matches(d, wanted)).length;
    shown.textContent = isEverything(wanted)
      ? ""
      : `${found} of ${count(suite.dependences.length, "dependence")}`;
  });
  const search = h(
    "label",
    { for: "filter-text", class: "search" },
    h("span", {}, "Search ", h("kbd", {}, "/")),
    box,
  );
  const choices = suite.dependences.length > 0 ? [roleLabel, carrierLabel, stateLabel] : [];
  return h(
    "form",
    { class: "filter", role: "search", "aria-label": "Filter", submit: (event) => event.preventDefault() },
    search,
    ...choices,
    reset,
    shown,
  );
}

/** Keys that work anywhere on the page. */
export function listenForKeys(): void {
  document.addEventListener("keydown", (event) => {
    const box = document.getElementById("filter-text") as HTMLInputElement | null;
    const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    if (!box || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !typing) {
      event.preventDefault();
      box.focus();
      box.select();
    } else if (event.key === "Escape" && event.target === box) {
      box.value = "";
      box.dispatchEvent(new Event("input"));
      box.blur();
    }
  });
}
