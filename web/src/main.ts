// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Puts the page together: one suite at a time, its parts from the summary to single tests, and the
// filter that they share.
import "./style.css";
import { cards, showCard, type CardFilter } from "./cards";
import { curves, heatMap, isolationCost, testTable, timeline } from "./charts";
import { h } from "./dom";
import { graph } from "./graph";
import { carrierOf, readReport, roleWords, type Report, type Suite } from "./model";
import { asides, summary } from "./summary";

type Restyle = () => void;
let restylers: Restyle[] = [];

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function options(select: HTMLElement, words: [string, string][]): HTMLElement {
  select.append(...words.map(([value, text]) => h("option", { value }, text)));
  return select;
}

function filterBar(suite: Suite, apply: (filter: CardFilter) => void): HTMLElement {
  const text = h("input", { type: "search", id: "filter-text", placeholder: "test, carrier or id", autocomplete: "off" }) as HTMLInputElement;
  const roles = [...new Set(suite.dependences.map((d) => d.role))].map((role): [string, string] => [role, roleWords[role]]);
  const names = [...new Set(suite.dependences.map(carrierOf))].sort().map((name): [string, string] => [name, name]);
  const role = options(h("select", { id: "filter-role" }), [["", "every role"], ...roles]) as HTMLSelectElement;
  const carrier = options(h("select", { id: "filter-carrier" }), [["", "every carrier"], ...names]) as HTMLSelectElement;
  const changed = () => apply({ text: text.value.trim(), role: role.value, carrier: carrier.value });
  for (const control of [text, role, carrier]) control.addEventListener("input", changed);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    text.focus();
  });
  const labelled = (id: string, word: string, control: HTMLElement) => h("label", { for: id }, h("span", {}, word), control);
  return h("form", { class: "filter", role: "search", submit: (event) => event.preventDefault() }, labelled("filter-text", "Search (/)", text), labelled("filter-role", "Role", role), labelled("filter-carrier", "Carrier", carrier));
}

function suitePage(suite: Suite): HTMLElement {
  const list = cards(suite), picture = graph(suite), heat = heatMap(suite), table = testTable(suite);
  restylers = [() => picture?.restyle(), () => heat?.restyle()];
  const apply = (filter: CardFilter) => {
    list.apply(filter);
    picture?.apply(filter);
    table.apply(filter.text);
  };
  list.apply({ text: "", role: "", carrier: "" });
  const parts = [summary(suite), filterBar(suite, apply), picture?.element, list.element, heat?.element, timeline(suite), isolationCost(suite), curves(suite), asides(suite), table.element];
  return h("div", {}, ...parts.filter((part): part is HTMLElement => !!part));
}

function themeButton(): HTMLElement {
  const button = h("button", { type: "button", class: "theme" }, "Theme");
  button.addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
    restylers.forEach((restyle) => restyle());
  });
  return button;
}

function navigation(page: HTMLElement): HTMLElement {
  const links = [...page.querySelectorAll("section")].map((part) => h("li", {}, h("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? part.id)));
  return h("nav", { "aria-label": "Parts of the report" }, h("ul", {}, ...links));
}

function show(report: Report, index: number, app: HTMLElement): void {
  const suite = report.suites[index];
  const page = suitePage(suite);
  const chooser = options(h("select", { id: "suite", "aria-label": "Test binary" }), report.suites.map((one, i): [string, string] => [String(i), `${baseName(one.suite.binary)} (${one.dependences.length} dependent)`])) as HTMLSelectElement;
  chooser.value = String(index);
  chooser.addEventListener("change", () => show(report, Number(chooser.value), app));
  const made = new Date(suite.ended_unix_ms).toISOString().replace("T", " ").slice(0, 16);
  const header = h(
    "header",
    {},
    h("div", { class: "title" }, h("h1", {}, "Test dependence in ", h("code", {}, baseName(suite.suite.binary))), themeButton()),
    h("p", { class: "note" }, `${suite.suite.binary} · ${suite.suite.framework} ${suite.suite.framework_version ?? ""} · searched ${made} UTC · Gordian ${report.gordian}`),
    report.suites.length > 1 ? chooser : null,
    navigation(page),
  );
  app.replaceChildren(header, h("main", { id: "content" }, page));
  document.title = `Test dependence in ${baseName(suite.suite.binary)}`;
  if (/^#D\d+$/.test(location.hash)) showCard(location.hash.slice(1));
}

function start(): void {
  const app = document.getElementById("app")!;
  try {
    show(readReport(), 0, app);
  } catch (error) {
    app.replaceChildren(h("main", { id: "content" }, h("h1", {}, "Gordian report"), h("p", {}, error instanceof Error ? error.message : String(error))));
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => restylers.forEach((restyle) => restyle()));
  addEventListener("beforeprint", () => document.querySelectorAll<HTMLDetailsElement>("details.card").forEach((card) => (card.open = true)));
}

start();
