// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Why a test depends on others: the state with its values, the line that wrote it and the line that
// read it, each with its source and stack, and the proof.
import { command, h, missing, note } from "./dom";
import { badge } from "./marks";
import type { Carrier, Dependence, Explanation, Site } from "./model";
import { commandFor, count, placeText } from "./text";

function excerpt(site: Site): HTMLElement {
  if (site.excerpt.length === 0)
    return note("The source was not found, or has changed since the binary was built.");
  const width = String(site.excerpt[site.excerpt.length - 1].line).length;
  const lines = site.excerpt.map((line) => {
    const hit = line.line === site.line;
    return h(
      "span",
      { class: hit ? "hit" : "" },
      `${hit ? "▸" : " "} ${String(line.line).padStart(width)}  ${line.text}\n`,
    );
  });
  return h(
    "pre",
    { class: "source", tabindex: 0, role: "group", "aria-label": `Source around ${placeText(site)}` },
    ...lines,
  );
}

function stack(site: Site): HTMLElement | null {
  const frames = site.stack.filter((frame) => frame.function || frame.file);
  if (frames.length < 2) return null;
  const lines = frames.map((f) =>
    h(
      "li",
      {},
      h("code", {}, f.function ?? "unknown function"),
      f.file ? h("span", { class: "place" }, placeText(f)) : null,
    ),
  );
  return h(
    "details",
    { class: "stack" },
    h("summary", {}, `Stack of ${count(frames.length, "frame")}`),
    h("ol", {}, ...lines),
  );
}

function siteBlock(title: string, site: Site | null, why: string | null): HTMLElement {
  if (!site)
    return h(
      "div",
      { class: "site" },
      h("h5", {}, title),
      note(why ? `Lines could not be looked for: ${why}` : "The line is not known."),
    );
  const times = site.times > 1 ? `, ${site.times_capped ? "at least " : ""}${count(site.times, "time")}` : "";
  return h(
    "div",
    { class: "site" },
    h("h5", {}, title, " by ", h("code", {}, site.test), times),
    h("p", { class: "place" }, placeText(site), site.function ? [" in ", h("code", {}, site.function)] : ""),
    excerpt(site),
    stack(site),
  );
}

function value(text: string | null, label: string): HTMLElement {
  return h(
    "div",
    { class: "value" },
    h("span", {}, label),
    text === null ? h("em", {}, "none") : h("code", {}, text),
  );
}

function carrierBlock(carrier: Carrier, explanation: Explanation): HTMLElement {
  const about = [carrier.kind.replace("_", " "), carrier.type].filter(Boolean).join(", ");
  const declared = carrier.declared
    ? h("span", { class: "place" }, `declared at ${placeText(carrier.declared)}`)
    : null;
  const sites = carrier.write || carrier.read || explanation.no_sites;
  return h(
    "div",
    { class: "carrier-block" },
    h(
      "p",
      { class: "carrier-line" },
      h("code", { class: "carrier" }, carrier.name),
      h("span", { class: "muted" }, about),
      badge(carrier.proved ? "good" : "warn", carrier.proved ? "proved" : "suspected"),
      declared,
    ),
    h(
      "div",
      { class: "values" },
      value(carrier.old, "before"),
      h("span", { class: "arrow", "aria-label": "becomes" }, "→"),
      value(carrier.new, "left behind"),
    ),
    sites
      ? h(
          "div",
          { class: "sites" },
          siteBlock("Written", carrier.write, explanation.no_sites),
          siteBlock("Read", carrier.read, explanation.no_sites),
        )
      : null,
  );
}

function proof(explanation: Explanation): HTMLElement {
  const many = explanation.carriers.length > 1;
  if (explanation.proved)
    return h(
      "p",
      { class: "proof" },
      badge("good", "proof"),
      ` With ${many ? "these put" : "this put"} back, the test gives its result as when alone: ${count(explanation.proofs, "run")}, always the same.`,
    );
  return h(
    "p",
    { class: "proof" },
    badge("warn", "not proved"),
    ` ${explanation.why_not ?? "The reason is not known."}`,
  );
}

/** The order that was run, where that is not the witness alone. */
function seenIn(d: Dependence, behind: string[]): HTMLElement | null {
  if (behind.length === 0) return null;
  const first = behind.join(", ");
  return h(
    "p",
    { class: "seen-in muted" },
    "Seen in ",
    h("code", {}, [...behind, ...d.witness].join(", ")),
    `: ${first} first, so that the carrier is there before.`,
  );
}

/** The part of a card that answers "why". */
export function why(d: Dependence): HTMLElement {
  const explanation = d.explanation;
  if (!explanation)
    return missing(
      "Nobody has looked for the state behind it yet, or only in another build.",
      commandFor(d, "explain"),
    );
  if (explanation.carriers.length === 0) {
    const looked =
      explanation.changes > 0 ? ` ${count(explanation.changes, "piece")} of state had changed.` : "";
    return h(
      "div",
      { class: "missing" },
      h("p", {}, `No carrier was found: ${explanation.why_not ?? "the reason is not known."}${looked}`),
      command(commandFor(d, "explain")),
    );
  }
  return h(
    "div",
    {},
    seenIn(d, explanation.behind),
    ...explanation.carriers.map((carrier) => carrierBlock(carrier, explanation)),
    proof(explanation),
  );
}
