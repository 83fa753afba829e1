// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One card for each dependence: what happens, the order that proves it, the state that carries it
// with both lines, the patch, and commands to copy. Cards are made when they come into view.
import { carrierOf, roleWords, type Carrier, type Dependence, type Outcome, type Repair, type Site, type Suite } from "./model";
import { command, count, h, section } from "./dom";

function outcomeText(outcome: Outcome): string {
  if (outcome.outcome === "crash") return `crash (${outcome.signal_name ?? "signal"})`;
  if (outcome.outcome === "exit") return `exit with code ${outcome.exit_code}`;
  return outcome.outcome;
}

function badge(outcome: Outcome): HTMLElement {
  const tone = outcome.outcome === "pass" ? "good" : outcome.outcome === "skip" ? "" : "bad";
  return h("span", { class: `badge ${tone}` }, outcomeText(outcome));
}

function outcomeRow(label: string, outcome: Outcome): HTMLElement[] {
  const place = outcome.file ? `${outcome.file}${outcome.line ? `:${outcome.line}` : ""}` : "";
  return [
    h("dt", {}, label),
    h("dd", {}, badge(outcome), place ? h("code", { class: "place" }, place) : null, outcome.message ? h("pre", {}, outcome.message) : null),
  ];
}

function witness(dependence: Dependence): HTMLElement {
  const last = dependence.witness.length - 1;
  return h(
    "ol",
    { class: "witness", "aria-label": "Shortest order that shows it" },
    ...dependence.witness.map((test, i) => h("li", { class: i === last ? dependence.role : "partner" }, test)),
  );
}

function excerpt(site: Site): HTMLElement | null {
  if (site.excerpt.length === 0) return null;
  const width = String(site.excerpt[site.excerpt.length - 1].line).length;
  return h(
    "pre",
    { class: "source", tabindex: 0 },
    ...site.excerpt.map((line) =>
      h("span", { class: line.line === site.line ? "hit" : "" }, `${line.line === site.line ? ">" : " "} ${String(line.line).padStart(width)} | ${line.text}\n`),
    ),
  );
}

function siteBlock(label: string, site: Site | null): HTMLElement[] {
  if (!site) return [];
  const frames = site.stack.filter((frame) => frame.function || frame.file);
  return [
    h("dt", {}, label),
    h(
      "dd",
      {},
      h("code", { class: "place" }, `${site.file ?? "unknown file"}${site.line ? `:${site.line}` : ""}`),
      site.function ? ` in ${site.function}` : "",
      ` by ${site.test}`,
      site.times > 1 ? ` (${site.times}${site.times_capped ? " or more" : ""} times)` : "",
      excerpt(site),
      frames.length > 1
        ? h(
            "details",
            {},
            h("summary", {}, count(frames.length, "frame")),
            h("ol", { class: "stack" }, ...frames.map((f) => h("li", {}, f.function ?? "?", f.file ? h("code", { class: "place" }, `${f.file}${f.line ? `:${f.line}` : ""}`) : null))),
          )
        : null,
    ),
  ];
}

function value(text: string | null): HTMLElement {
  return h("code", {}, text ?? "(none)");
}

function carrierBlock(carrier: Carrier): HTMLElement[] {
  return [
    h("dt", {}, "carrier"),
    h(
      "dd",
      {},
      h("code", { class: "carrier" }, carrier.name),
      ` ${[carrier.kind, carrier.type].filter(Boolean).join(", ")} `,
      h("span", { class: `badge ${carrier.proved ? "good" : "warn"}` }, carrier.proved ? "proved" : "suspected"),
      h("div", { class: "values" }, value(carrier.old), h("span", { "aria-label": "becomes" }, " → "), value(carrier.new)),
    ),
    ...siteBlock("written", carrier.write),
    ...siteBlock("read", carrier.read),
  ];
}

function diffBlock(diff: string): HTMLElement {
  const kind = (line: string) => (/^(\+\+\+|---|diff |new file)/.test(line) ? "file" : line.startsWith("@@") ? "hunk" : line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "");
  return h("pre", { class: "diff", tabindex: 0 }, ...diff.split("\n").map((line) => h("span", { class: kind(line) }, line + "\n")));
}

function repairBlock(repair: Repair | null, id: string): HTMLElement {
  if (!repair) return h("p", { class: "note" }, "No patch was tried. ", command(`gordian fix ${id}`));
  if (repair.gone_by) return h("p", {}, `Repaired by the patch for ${repair.gone_by}.`);
  if (!repair.diff) return h("p", {}, `No patch passed its checks: ${repair.why_not ?? "unknown"}`);
  return h(
    "div",
    {},
    h("p", {}, h("span", { class: `badge ${repair.verdict === "verified" ? "good" : "warn"}` }, repair.verdict ?? ""), ` ${repair.summary ?? ""}`, repair.reason ? ` ${repair.reason}` : ""),
    diffBlock(repair.diff),
    h("details", {}, h("summary", {}, `${count(repair.checks.filter((c) => c.passed).length, "check")} of ${repair.checks.length} passed`), h("ul", {}, ...repair.checks.map((c) => h("li", {}, `${c.passed ? "passed" : "FAILED"}: ${c.name}`, c.runs ? ` (${count(c.runs, "run")})` : "", c.detail ? `: ${c.detail}` : "")))),
    command(`gordian fix ${id} --apply`),
  );
}

function partners(label: string, tests: string[], complete: boolean): HTMLElement[] {
  if (tests.length === 0) return [];
  return [h("dt", {}, label), h("dd", {}, tests.join(", "), complete ? "" : " (not every test was tried)")];
}

function body(d: Dependence): HTMLElement {
  const explanation = d.explanation;
  return h(
    "div",
    { class: "card-body" },
    h("h4", {}, "The order that shows it"),
    witness(d),
    h(
      "dl",
      {},
      ...outcomeRow("expected", d.expected),
      ...outcomeRow("alone", d.alone),
      ...outcomeRow("observed", d.observed),
      ...partners("polluters", d.polluters, d.polluters_complete),
      ...partners("state-setters", d.state_setters, d.polluters_complete),
      ...partners("cleaners", d.cleaners, d.cleaners_complete),
      h("dt", {}, "confirmed"),
      h("dd", {}, `${count(d.confirmed, "run")} with the same result`, d.found_by ? `, found by ${d.found_by}` : ""),
    ),
    h("h4", {}, "Why"),
    explanation && explanation.carriers.length > 0
      ? h(
          "div",
          {},
          h("dl", {}, ...explanation.carriers.flatMap(carrierBlock)),
          h("p", { class: "note" }, explanation.proved ? `Proof: with this state put back the result is as alone (${count(explanation.proofs, "run")}, always the same).` : `Not proved: ${explanation.why_not ?? "unknown"}`),
        )
      : h("p", { class: "note" }, explanation?.why_not ? `Not explained: ${explanation.why_not} ` : "Not explained yet. ", command(`gordian explain ${d.id}`)),
    h("h4", {}, "Patch"),
    repairBlock(d.repair, d.id),
    h("h4", {}, "See for yourself"),
    h("div", { class: "commands" }, command(d.replay ?? `gordian replay ${d.id}`), command(`gordian replay ${d.id} --debugger gdb --at read`)),
  );
}

function sentence(d: Dependence): string {
  if (d.role === "self_dependent") return "changes its result when run twice";
  const verb = d.role === "brittle" ? "needs" : "fails after";
  return `${verb} ${d.by.join(", ")}`;
}

function card(d: Dependence): HTMLElement {
  const details = h(
    "details",
    { class: "card", id: d.id },
    h("summary", {}, h("span", { class: "id" }, d.id), h("span", { class: `role ${d.role}` }, roleWords[d.role]), h("strong", {}, d.test), h("span", { class: "sentence" }, sentence(d))),
  ) as HTMLDetailsElement;
  const fill = () => {
    if (details.open && !details.querySelector(".card-body")) details.append(body(d));
  };
  details.addEventListener("toggle", fill);
  return details;
}

/** Opens a card and brings it into view. */
export function showCard(id: string): void {
  const details = document.getElementById(id) as HTMLDetailsElement | null;
  if (!details) return;
  details.hidden = false;
  details.open = true;
  details.scrollIntoView({ block: "start" });
  details.querySelector("summary")?.focus();
}

export interface CardFilter {
  text: string;
  role: string;
  carrier: string;
}

export function matches(d: Dependence, filter: CardFilter): boolean {
  if (filter.role && d.role !== filter.role) return false;
  if (filter.carrier && carrierOf(d) !== filter.carrier) return false;
  if (!filter.text) return true;
  const words = [d.id, d.test, ...d.witness, ...d.polluters, ...d.state_setters, carrierOf(d)].join(" ").toLowerCase();
  return words.includes(filter.text.toLowerCase());
}

export function cards(suite: Suite): { element: HTMLElement; apply(filter: CardFilter): number } {
  const made = suite.dependences.map((d) => ({ d, element: card(d) }));
  const status = h("p", { role: "status", class: "note" });
  const element = section("dependences", "Dependences", status, ...made.map((one) => one.element));
  const apply = (filter: CardFilter): number => {
    let shown = 0;
    for (const one of made) {
      one.element.hidden = !matches(one.d, filter);
      if (!one.element.hidden) shown += 1;
    }
    status.textContent = made.length === 0 ? "None were found in what was explored." : `${shown} of ${count(made.length, "dependence")} shown`;
    return shown;
  };
  if (made.length > 0 && made.length <= 3) (made[0].element as HTMLDetailsElement).open = true;
  return { element, apply };
}
