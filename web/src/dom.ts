// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Elements by function calls. Text is only ever set as text: whatever a test is called or prints,
// it cannot become markup. The page uses no innerHTML.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

export function h(tag: string, attributes: Attributes = {}, ...children: (Child | Child[])[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children.flat());
  return element;
}

function append(parent: HTMLElement, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(typeof child === "number" ? String(child) : child);
  }
}

export function svg(tag: string, attributes: Record<string, string | number> = {}, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** A command that people copy: shown as code, with a button. */
export function command(text: string): HTMLElement {
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy: ${text}` }, "copy");
  button.addEventListener("click", async () => {
    const done = await copyText(text);
    button.textContent = done ? "copied" : "select it";
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
  return h("span", { class: "command" }, h("code", {}, text), button);
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

export function section(id: string, title: string, ...children: (Child | Child[])[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

export function seconds(value: number): string {
  if (value < 0.001) return `${Math.round(value * 1e6)} us`;
  if (value < 1) return `${(value * 1000).toPrecision(3)} ms`;
  if (value < 120) return `${value.toPrecision(3)} s`;
  return `${Math.round(value / 60)} min`;
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString("en")} ${value === 1 ? one : many}`;
}
