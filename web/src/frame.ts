// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Around the report: its head with the choice of suite and theme, and the way to its parts.
import { button, h, svg } from "./dom";
import type { Report } from "./model";
import { baseName, count } from "./text";

function knot(): SVGElement {
  const path = (d: string) => svg("path", { d });
  return svg(
    "svg",
    { viewBox: "0 0 32 32", class: "knot", "aria-hidden": "true" },
    path("M4 22c0-7 9-4 12-9s-1-9-5-7-2 9 5 12 12 2 12-4"),
    path("M28 24c-6 3-12-1-13-7"),
  );
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

const followers: (() => void)[] = [];

/** Calls `changed` whenever the colours have changed, by the system or by the reader. */
export function watchTheme(changed: () => void): void {
  followers.push(changed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}

const themeWord = () => (isDark() ? "Light theme" : "Dark theme");

/** One for the page, whichever suite it shows. */
const themeButton = button(
  themeWord(),
  () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    for (const changed of followers) changed();
  },
  { class: "theme" },
);
watchTheme(() => (themeButton.textContent = themeWord()));

function suiteChooser(report: Report, index: number, choose: (index: number) => void): HTMLElement | null {
  if (report.suites.length < 2) return null;
  const options = report.suites.map((one, i) =>
    h(
      "option",
      { value: i, selected: i === index },
      `${baseName(one.suite.binary)} (${count(one.dependences.length, "dependence")})`,
    ),
  );
  const select = h(
    "select",
    { id: "suite", change: () => choose(select.selectedIndex) },
    ...options,
  ) as HTMLSelectElement;
  return h(
    "label",
    { class: "chooser", for: "suite" },
    h("span", {}, `Test binary, one of ${report.suites.length}`),
    select,
  );
}

export function header(report: Report, index: number, choose: (index: number) => void): HTMLElement {
  const { suite, ended_unix_ms } = report.suites[index];
  const made = new Date(ended_unix_ms).toISOString().replace("T", " ").slice(0, 16);
  const about = [
    suite.binary,
    [suite.framework, suite.framework_version].filter(Boolean).join(" "),
    `searched ${made} UTC`,
    `Gordian ${report.gordian}`,
  ];
  return h(
    "header",
    {},
    h(
      "div",
      { class: "title" },
      knot(),
      h("h1", {}, "Test dependence in ", h("code", {}, baseName(suite.binary))),
      themeButton,
    ),
    h("p", { class: "about" }, ...about.map((text) => h("span", {}, text))),
    suiteChooser(report, index, choose),
  );
}

export function navigation(page: HTMLElement): HTMLElement {
  const parts = [...page.querySelectorAll("section")];
  const links = parts.map((part) =>
    h("li", {}, h("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? part.id)),
  );
  const nav = h("nav", { "aria-label": "Parts of the report" }, h("ul", {}, ...links));
  const mark = (entries: IntersectionObserverEntry[]) => {
    for (const entry of entries)
      links[parts.indexOf(entry.target as HTMLElement)].toggleAttribute("data-here", entry.isIntersecting);
  };
  const observer = new IntersectionObserver(mark, { rootMargin: "-25% 0px -70% 0px" });
  for (const part of parts) observer.observe(part);
  return nav;
}
