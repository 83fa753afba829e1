// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Elements by function calls. Text is only ever set as text, with what cannot be seen spelled out:
// whatever a test is called or prints, it cannot become markup nor look like something else. The
// page uses no innerHTML.
import { visible } from "./text";

export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

export function h(tag: string, attributes: Attributes = {}, ...children: (Child | Child[])[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : visible(String(value)));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(String(child)));
  }
  return element;
}

type SvgAttributes = Record<string, string | number>;

export function svg(tag: string, attributes: SvgAttributes = {}, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, visible(String(value)));
  element.append(...children.map((child) => (child instanceof Node ? child : visible(child))));
  return element;
}

export function section(id: string, title: string, ...children: (Child | Child[])[]): HTMLElement {
  return h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title),
    ...children,
  );
}

export function note(...children: Child[]): HTMLElement {
  return h("p", { class: "note" }, ...children);
}

export function button(text: Child, click: () => void, more: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", click, ...more }, text) as HTMLButtonElement;
}

/** What is not there, why, and the command that makes it. */
export function missing(what: string, how?: string): HTMLElement {
  return h("div", { class: "missing" }, h("p", {}, what), how ? command(how) : null);
}

/** Wide things scroll by themselves, also by keyboard; the page never does sideways. */
export function scroller(label: string, child: HTMLElement): HTMLElement {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": label }, child);
}

/** Heads stand above their numbers as these do. */
export function table(head: Child[], rows: HTMLElement[]): HTMLElement {
  const isNumber = (column: number) => rows[0]?.children[column]?.classList.contains("number");
  const cells = head.map((cell, i) => h("th", { scope: "col", class: isNumber(i) ? "number" : "" }, cell));
  return h("table", {}, h("thead", {}, h("tr", {}, ...cells)), h("tbody", {}, ...rows));
}

/** A command that people copy: shown as code, with a button. */
export function command(text: string): HTMLElement {
  const copy = button("Copy", () => void copied(), { class: "copy", "aria-label": `Copy ${text}` });
  const copied = async () => {
    copy.textContent = (await copyText(text)) ? "Copied" : "Select it";
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  };
  return h("div", { class: "command" }, h("code", {}, text), copy);
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page from a file has no clipboard in some browsers.
    const area = h("textarea", { class: "offscreen" }) as HTMLTextAreaElement;
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** Calls `draw` once, when the element comes near the view: a page that is only read need not pay. */
export function whenSeen(element: Element, draw: () => void): void {
  const watch = (entries: IntersectionObserverEntry[], observer: IntersectionObserver) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    draw();
  };
  new IntersectionObserver(watch, { rootMargin: "200px" }).observe(element);
}

/** The colours of the theme in use, for what is painted and cannot read the style sheet. */
export function colours<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const found = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(found);
}
