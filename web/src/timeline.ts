// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The time line: what the search ran when, and the runs of this build in the database.
import { h, missing, note, scroller, section, table } from "./dom";
import { badge } from "./marks";
import type { PastRun, Phase, Suite } from "./model";
import { count, number, seconds } from "./text";

function bar(phase: Phase, begin: number, total: number): HTMLElement {
  const left = (100 * begin) / total,
    width = Math.max((100 * phase.seconds) / total, 0.5);
  const text = `from ${seconds(begin)} to ${seconds(begin + phase.seconds)}`;
  return h(
    "td",
    { class: "bar-cell" },
    h("span", {
      class: `bar ${phase.found > 0 ? "found" : ""}`,
      style: `margin-left:${Math.min(left, 99.5)}%;width:${Math.min(width, 100 - Math.min(left, 99.5))}%`,
      title: text,
    }),
    h("span", { class: "offscreen" }, text),
  );
}

function axis(total: number): HTMLElement {
  return h("span", { class: "axis" }, h("span", {}, "0 s"), h("span", {}, seconds(total)));
}

function phases(suite: Suite): HTMLElement {
  const ran = suite.search.phases.filter((phase) => phase.orders > 0);
  if (ran.length === 0)
    return missing("This search ran nothing anew: what it tells comes from an earlier one.");
  const total = ran.reduce((sum, phase) => sum + phase.seconds, 0) || 1e-9;
  let begin = 0;
  const rows = ran.map((phase) => {
    const cell = bar(phase, begin, total);
    begin += phase.seconds;
    const amount = (value: string) => h("td", { class: "number" }, value);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, phase.algorithm),
      cell,
      amount(number(phase.orders)),
      amount(number(phase.tests_run)),
      amount(seconds(phase.seconds)),
      amount(number(phase.found)),
      h("td", {}, phase.finished ? "to its end" : badge("warn", "cut short")),
    );
  });
  return scroller(
    "Orders of the search",
    table(["algorithm", axis(total), "orders", "tests run", "time", "found first", "ran"], rows),
  );
}

function moment(unix: number): string {
  return new Date(unix).toISOString().replace("T", " ").slice(0, 19);
}

function runRow(run: PastRun): HTMLElement {
  const failed = run.failed > 0 ? badge("bad", `${number(run.failed)} failed`) : badge("good", "all passed");
  const result = run.end === "finished" ? failed : badge("warn", run.end.replace("_", " "));
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, run.id),
    h("td", {}, moment(run.started_unix_ms)),
    h("td", {}, h("code", {}, run.order)),
    h("td", {}, run.isolation),
    h("td", { class: "number" }, number(run.tests)),
    h("td", { class: "number" }, seconds(run.wall_ns / 1e9)),
    h("td", {}, result),
  );
}

function history(suite: Suite): HTMLElement {
  if (suite.history.length === 0)
    return missing("No run of this build is in the database.", `gordian run ${suite.suite.binary}`);
  return scroller(
    "Runs of this build",
    table(
      ["run", "started (UTC)", "order", "isolation", "tests", "time", "result"],
      suite.history.map(runRow),
    ),
  );
}

export function timeline(suite: Suite): HTMLElement {
  const { search } = suite;
  return section(
    "timeline",
    "Orders run",
    note(
      `The search ran ${count(search.orders, "order")} in ${seconds(search.seconds)}. Red bars found dependent tests first.`,
    ),
    phases(suite),
    h("h3", {}, "Runs of this build"),
    history(suite),
  );
}
