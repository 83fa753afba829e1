// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The repair of a dependence: the patch as a coloured diff, what it was checked for, and what else
// was tried.
import { command, h, missing } from "./dom";
import { badge, sign } from "./marks";
import type { Dependence, Repair, RepairCheck } from "./model";
import { commandFor, count } from "./text";

function lineKind(line: string): string {
  if (/^(\+\+\+|---|diff |index |new file|deleted file)/.test(line)) return "file";
  if (line.startsWith("@@")) return "hunk";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
}

function diffLines(text: string, label: string): HTMLElement {
  return h(
    "pre",
    { class: "diff", tabindex: 0, role: "group", "aria-label": label },
    ...text.split("\n").map((line) => h("span", { class: lineKind(line) }, `${line}\n`)),
  );
}

function isNewFile(part: string): boolean {
  return /^new file mode/m.test(part.split("\n@@")[0]);
}

/** Folded: what matters is where it is used. */
function newFile(part: string): HTMLElement {
  const name = /^\+\+\+ (?:b\/)?(.*)$/m.exec(part)?.[1] ?? "";
  const lines = part.split("\n").filter((line) => lineKind(line) === "added").length;
  return h(
    "details",
    {},
    h("summary", {}, `New file ${name}, ${count(lines, "line")}`),
    diffLines(part, `New file ${name}`),
  );
}

function diffBlocks(diff: string): HTMLElement[] {
  const parts = diff.replace(/\n$/, "").split(/\n(?=diff --git )/);
  const changed = parts.filter((part) => !isNewFile(part));
  return [
    ...(changed.length > 0 ? [diffLines(changed.join("\n"), "Patch")] : []),
    ...parts.filter(isNewFile).map(newFile),
  ];
}

function checkLine(check: RepairCheck): HTMLElement {
  const runs = check.runs > 0 ? ` (${count(check.runs, "run")})` : "";
  return h(
    "li",
    { class: check.passed ? "good" : "bad" },
    sign(check.passed ? "good" : "bad"),
    h("span", {}, check.passed ? "" : "Failed: ", check.name, runs, check.detail ? `: ${check.detail}` : ""),
  );
}

function checks(repair: Repair): HTMLElement | null {
  if (repair.checks.length === 0) return null;
  const passed = repair.checks.filter((check) => check.passed).length;
  return h(
    "div",
    {},
    h(
      "h5",
      {},
      `Checked on the patched program: ${passed} of ${count(repair.checks.length, "check")} passed`,
    ),
    h("ul", { class: "checks" }, ...repair.checks.map(checkLine)),
  );
}

/** Everything that was tried and did not stand. */
function others(repair: Repair): HTMLElement | null {
  const tried = repair.attempts.filter(
    (one) => one.verdict !== repair.verdict || one.strategy !== repair.strategy,
  );
  const lines = [
    ...tried.map((one) =>
      h(
        "li",
        {},
        h("strong", {}, one.strategy),
        ` ${one.verdict.replace("_", " ")}: ${one.why ?? one.summary}`,
      ),
    ),
    ...repair.inapplicable.map((one) =>
      h("li", {}, h("strong", {}, one.strategy), ` does not apply: ${one.why}`),
    ),
  ];
  if (lines.length === 0) return null;
  const title = repair.diff
    ? `${count(lines.length, "other way", "other ways")} to repair it`
    : `What was tried: ${count(lines.length, "way")}`;
  return h("details", {}, h("summary", {}, title), h("ul", {}, ...lines));
}

/** The part of a card that answers "how do I get rid of it". */
export function patch(d: Dependence): HTMLElement {
  const repair = d.repair;
  if (!repair) return missing("No patch was tried for this build yet.", commandFor(d, "fix"));
  if (repair.gone_by)
    return h(
      "p",
      {},
      badge("good", "repaired"),
      " The patch for ",
      h("a", { href: `#${repair.gone_by}` }, repair.gone_by),
      " repairs this one too.",
    );
  if (!repair.diff)
    return h(
      "div",
      { class: "missing" },
      h("p", {}, `No patch passed its checks: ${repair.why_not ?? "the reason is not known."}`),
      others(repair),
    );
  const verified = repair.verdict === "verified";
  return h(
    "div",
    {},
    h(
      "p",
      {},
      badge(verified ? "good" : "warn", repair.verdict ?? "not verified"),
      repair.summary ? ` ${repair.summary}.` : "",
      repair.reason ? h("span", { class: "muted" }, ` ${repair.reason}`) : null,
    ),
    ...diffBlocks(repair.diff),
    checks(repair),
    others(repair),
    command(commandFor(d, "fix", " --apply")),
  );
}
