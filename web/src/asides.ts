// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What was seen and does not count as dependent.
import { h, note, section, type Child } from "./dom";
import type { Suite } from "./model";
import { names, outcomeVerb } from "./text";

export function asides(suite: Suite): HTMLElement | null {
  const parts: HTMLElement[] = [];
  const list = (title: string, why: string, lines: Child[][]) => {
    if (lines.length > 0)
      parts.push(h("h3", {}, title), note(why), h("ul", {}, ...lines.map((line) => h("li", {}, ...line))));
  };
  const test = (name: string) => h("code", {}, name);
  list(
    "Non-deterministic",
    "Their result changes when the very same order is repeated: a matter of time, chance or threads, not of order.",
    suite.nondeterministic.map((t) => [
      test(t.test),
      `: ${t.differ} of ${t.runs} runs differ; usually it ${outcomeVerb(t.usual)}, at times it ${outcomeVerb(t.other)}`,
    ]),
  );
  list(
    "Declared by the suite itself",
    "Their authors say what has to run before them.",
    suite.declared.map((d) => [
      test(d.test),
      ` after ${names(d.on)}${d.needed ? "" : " (not needed: the result is the same without)"}`,
    ]),
  );
  list(
    "Left out",
    "They took no part in the search.",
    suite.left_out.map((t) => [test(t.test), `: ${t.why}`]),
  );
  return parts.length > 0 ? section("asides", "Not counted", ...parts) : null;
}
