// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What isolation costs the suite, and every test with its roles, result and durations. A page of
// tests at a time, so that thousands are no burden.
import { button, h, missing, note, scroller, section, table } from "./dom";
import type { Filter } from "./filter";
import { badge, mark } from "./marks";
import { rolesOf, type Run, type Suite, type Test } from "./model";
import { count, number, placeText, roleWords, seconds, tone } from "./text";

const meaning: Record<string, string> = {
  none: "one process, nothing undone",
  snapshot: "one process, put back after each test",
  fork: "a forked copy for each test",
  process: "a new process for each test",
};

function overhead(run: Run, plain: Run | undefined): string {
  if (!plain || run === plain) return "";
  const tests = run.outcomes.filter((outcome) => outcome !== null).length || 1;
  const extra = (run.wall_ns - plain.wall_ns) / tests / 1e9;
  return `${extra < 0 ? "−" : "+"}${seconds(Math.abs(extra))}`;
}

/** One bar for each way in which the suite was run. */
export function isolationCost(suite: Suite): HTMLElement {
  if (suite.runs.length === 0)
    return section(
      "isolation",
      "What isolation costs",
      missing(
        "Durations come from whole runs in the default order; the database has none of this build.",
        `gordian run --isolate none ${suite.suite.binary}`,
      ),
    );
  const most = Math.max(...suite.runs.map((run) => run.wall_ns));
  const plain = suite.runs.find((run) => run.isolation === "none");
  const rows = suite.runs.map((run) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        run.isolation,
        h("span", { class: "muted" }, ` ${meaning[run.isolation] ?? ""}`),
      ),
      h(
        "td",
        { class: "bar-cell" },
        h("span", { class: "bar", style: `width:${(100 * run.wall_ns) / most}%` }),
      ),
      h("td", { class: "number" }, seconds(run.wall_ns / 1e9)),
      h("td", { class: "number" }, overhead(run, plain)),
      h("td", {}, run.id),
    ),
  );
  const hint = plain
    ? "The price for each test is the difference to a run without isolation, divided by the tests."
    : "There is no run without isolation to compare with (gordian run --isolate none).";
  return section(
    "isolation",
    "What isolation costs",
    note(`The newest whole run of each kind; times include the start of the program. ${hint}`),
    scroller(
      "Cost of isolation",
      table(
        ["isolation", "", "whole run", "for each test", "run"].map(
          (word) => word || h("span", { class: "offscreen" }, "share"),
        ),
        rows,
      ),
    ),
  );
}

const pageSize = 100;

interface Row {
  test: Test;
  place: number;
  roles: string[];
  words: string;
  outcome: string;
  times: (number | null)[];
}

export class TestTable {
  readonly element: HTMLElement;
  private readonly rows: Row[];
  private readonly body = h("tbody");
  private readonly status = h("p", { role: "status", class: "note" });
  private readonly slowest: number[];
  private shown: Row[];
  private page = 0;
  private text = "";
  private sorted = -1;
  private readonly previous = button("Previous", () => this.turn(-1));
  private readonly next = button("Next", () => this.turn(1));
  private readonly heads: HTMLElement[];

  constructor(
    private readonly suite: Suite,
    filter: Filter,
  ) {
    const roles = rolesOf(suite);
    this.rows = suite.tests.map((test, place) => this.row(test, place, [...(roles.get(test.name) ?? [])]));
    this.shown = this.rows;
    this.slowest = suite.runs.map((run) => Math.max(1, ...run.duration_ns.map((ns) => ns ?? 0)));
    this.heads = suite.runs.map((run, i) =>
      h(
        "th",
        { scope: "col", class: "number" },
        button(`time, ${run.isolation}`, () => this.sort(i), { class: "sort" }),
      ),
    );
    const head = h(
      "tr",
      {},
      ...["test", "roles", "result"].map((word) => h("th", { scope: "col" }, word)),
      ...this.heads,
      h("th", { scope: "col" }, "place"),
    );
    const all = scroller("All tests", h("table", { class: "tests" }, h("thead", {}, head), this.body));
    const hint =
      suite.runs.length > 0
        ? note("Durations are those of the newest whole run of each isolation. Click one to sort by it.")
        : null;
    this.element = section(
      "tests",
      "Tests",
      hint,
      this.status,
      all,
      h("p", { class: "pager" }, this.previous, this.next),
    );
    filter.follow((wanted) => {
      if (wanted.text === this.text && this.body.hasChildNodes()) return;
      this.text = wanted.text;
      this.select();
    });
  }

  private row(test: Test, place: number, roles: string[]): Row {
    const outcome = this.suite.runs.find((run) => run.outcomes[place])?.outcomes[place] ?? "";
    const words = `${test.name} ${roles.map((role) => roleWords[role]).join(" ")}`.toLowerCase();
    return {
      test,
      place,
      roles,
      words,
      outcome,
      times: this.suite.runs.map((run) => run.duration_ns[place]),
    };
  }

  private sort(by: number): void {
    this.sorted = this.sorted === by ? -1 : by;
    this.heads.forEach((head, i) =>
      head.setAttribute("aria-sort", i === this.sorted ? "descending" : "none"),
    );
    this.select();
  }

  private turn(by: number): void {
    this.page += by;
    this.draw();
  }

  private select(): void {
    const text = this.text.toLowerCase(),
      by = this.sorted;
    this.shown = this.rows.filter((row) => row.words.includes(text));
    if (by >= 0) this.shown.sort((a, b) => (b.times[by] ?? -1) - (a.times[by] ?? -1));
    this.page = 0;
    this.draw();
  }

  private draw(): void {
    const first = this.page * pageSize,
      last = Math.min(first + pageSize, this.shown.length);
    this.body.replaceChildren(...this.shown.slice(first, last).map((row) => this.line(row)));
    this.status.textContent =
      this.shown.length === 0
        ? "No test matches."
        : `${number(first + 1)} to ${number(last)} of ${count(this.shown.length, "test")}`;
    this.previous.disabled = this.page === 0;
    this.next.disabled = last >= this.shown.length;
    this.previous.parentElement?.toggleAttribute("hidden", this.shown.length <= pageSize);
  }

  private line(row: Row): HTMLElement {
    const roles = row.roles.map((role) => h("span", { class: "role" }, mark(role), roleWords[role]));
    const outcome = row.outcome
      ? badge(tone(row.outcome), row.outcome)
      : h("span", { class: "muted" }, row.test.disabled ? "disabled" : "no run");
    const place = row.test.file ? placeText(row.test) : "";
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, row.test.name),
      h("td", {}, ...roles),
      h("td", {}, outcome),
      ...row.times.map((ns, i) => this.time(ns, i)),
      h("td", { class: "place" }, place),
    );
  }

  private time(ns: number | null, run: number): HTMLElement {
    if (ns === null || ns === undefined) return h("td", { class: "number muted" }, "–");
    return h(
      "td",
      { class: "number" },
      seconds(ns / 1e9),
      h("span", { class: "amount", style: `width:${(100 * ns) / this.slowest[run]}%` }),
    );
  }
}
