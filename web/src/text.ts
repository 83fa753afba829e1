// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Words and numbers as people read them. Nothing here touches the document.
import type { Dependence, Outcome, Place } from "./model";

// Marks that reorder or hide text, and control characters: a name must not look like another one.
const unseen =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The text with everything that cannot be seen spelled out: "U+202E" in angle brackets. */
export function visible(text: string): string {
  const spelled = (c: string) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  return text.replace(unseen, spelled);
}

export function number(value: number): string {
  return value.toLocaleString("en");
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

export function seconds(value: number): string {
  if (value === 0) return "0 s";
  if (value < 0.001) return `${Math.round(value * 1e6)} µs`;
  if (value < 1) return `${Number((value * 1000).toPrecision(3))} ms`;
  if (value < 120) return `${Number(value.toPrecision(3))} s`;
  return `${number(Math.round(value / 60))} min`;
}

export function percent(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const share = (100 * part) / whole;
  if (part < whole && share > 99.9) return "over 99.9 %";
  if (part > 0 && share < 0.1) return "under 0.1 %";
  return `${Number(share.toFixed(share < 10 ? 1 : 0))} %`;
}

/** "A, B and C"; many are cut to "A, B, C and 40 more". */
export function names(list: string[], most = 3): string {
  if (list.length === 1) return list[0];
  if (list.length > most + 1)
    return `${list.slice(0, most).join(", ")} and ${number(list.length - most)} more`;
  return `${list.slice(0, -1).join(", ")} and ${list[list.length - 1]}`;
}

/** A long name without its middle: names of tests differ at their ends. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor(most / 3);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - head - 1))}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function placeText(place: Place): string {
  return place.file ? `${place.file}${place.line ? `:${place.line}` : ""}` : "unknown place";
}

export const roleWords: Record<string, string> = {
  victim: "victim",
  brittle: "brittle",
  self_dependent: "self-dependent",
  polluter: "polluter",
  state_setter: "state-setter",
  cleaner: "cleaner",
  data: "shares data only",
};

/** One sentence for those who read these words for the first time. */
export const roleMeaning: Record<string, string> = {
  victim: "passes alone, gives another result after a polluter",
  brittle: "gives its expected result only after a state-setter",
  self_dependent: "gives another result when it runs twice in one process",
  polluter: "leaves state behind that changes the result of a victim",
  state_setter: "leaves state behind that a brittle test needs",
  cleaner: "run between polluter and victim, it undoes the harm",
  data: "reads or writes the same state, with no result changed",
};

const outcomeVerbs: Record<string, string> = {
  pass: "passes",
  fail: "fails",
  skip: "is skipped",
  timeout: "does not end in time",
  not_run: "is not run",
  lost: "is lost",
};

export function outcomeText(outcome: Outcome): string {
  if (outcome.outcome === "crash") return `crash${outcome.signal_name ? ` (${outcome.signal_name})` : ""}`;
  if (outcome.outcome === "exit") return `exit with code ${outcome.exit_code}`;
  return outcome.outcome.replace("_", " ");
}

export function outcomeVerb(outcome: Outcome): string {
  if (outcome.outcome === "crash")
    return `crashes${outcome.signal_name ? ` with ${outcome.signal_name}` : ""}`;
  if (outcome.outcome === "exit") return `ends the process with code ${outcome.exit_code}`;
  return outcomeVerbs[outcome.outcome] ?? outcome.outcome;
}

/** Good, bad or neither: the tone that a result is shown in. */
export function tone(outcome: string): string {
  return outcome === "pass" ? "good" : outcome === "skip" || outcome === "not_run" ? "" : "bad";
}

/** What the dependence is, behind the name of its test: "fails after A and B". */
export function claim(d: Dependence): string {
  if (d.role === "self_dependent") return `${outcomeVerb(d.witnessed)} when it runs twice`;
  if (d.role === "brittle")
    return `${outcomeVerb(d.alone)} unless ${names(d.by)} ${d.by.length > 1 ? "run" : "runs"} before it`;
  return `${outcomeVerb(d.witnessed)} after ${names(d.by)}`;
}

/** A command about a dependence, with the database that its replay names. */
export function commandFor(d: Dependence, verb: string, options = ""): string {
  const replay = d.replay ?? `gordian replay ${d.id}`;
  return replay.replace(/^gordian replay/, `gordian ${verb}`) + options;
}
