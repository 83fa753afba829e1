// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The first thing one reads: is there something, what does it mean, how much was looked at, and what
// to do next. For people who have never heard of test dependence.
import { command, h, note, section, type Child } from "./dom";
import type { Filter } from "./filter";
import { twoOrders } from "./lanes";
import { badge, mark, sign } from "./marks";
import { byCarrier, isRepaired, notExplained, rolesOf, type Suite } from "./model";
import { commandFor, count, number, percent, roleMeaning, roleWords, seconds } from "./text";

function verdict(suite: Suite): HTMLElement {
  const dependent = new Set(suite.dependences.map((d) => d.test)).size;
  const kind =
    dependent > 0 ? "bad" : suite.search.complete_k >= 2 || suite.tests.length < 2 ? "good" : "warn";
  const headline =
    dependent === 0
      ? "No test was seen to depend on the order."
      : `${number(dependent)} of ${count(suite.tests.length, "test")} ${dependent === 1 ? "gives" : "give"} another result when the order changes.`;
  return h(
    "div",
    { class: `verdict ${kind}` },
    sign(kind),
    h("div", {}, h("p", { class: "headline" }, headline), h("p", {}, suite.verdict)),
  );
}

function tile(value: string | number, label: string, tone = "", shape = ""): HTMLElement {
  return h(
    "li",
    { class: `tile ${tone}` },
    h("strong", {}, typeof value === "number" ? number(value) : value),
    h("span", {}, shape ? mark(shape) : null, label),
  );
}

function tiles(suite: Suite): HTMLElement {
  const roles = rolesOf(suite);
  const playing = (role: string) => [...roles.values()].filter((own) => own.has(role)).length;
  const plural = (role: string, n: number) =>
    n === 1 || role === "brittle" || role === "self_dependent" ? roleWords[role] : `${roleWords[role]}s`;
  const played = Object.keys(roleMeaning)
    .map((role): [string, number] => [role, playing(role)])
    .filter(([, n]) => n > 0);
  const repaired = suite.dependences.filter(isRepaired).length;
  return h(
    "ul",
    { class: "tiles" },
    tile(suite.tests.length, suite.tests.length === 1 ? "test" : "tests"),
    ...played.map(([role, n]) => tile(n, plural(role, n), "", role)),
    suite.nondeterministic.length > 0
      ? tile(suite.nondeterministic.length, "non-deterministic", "warn")
      : null,
    suite.dependences.length > 0
      ? tile(
          `${number(repaired)} / ${number(suite.dependences.length)}`,
          "verified patches",
          repaired === suite.dependences.length ? "good" : "",
        )
      : null,
  );
}

function meaning(suite: Suite): HTMLElement {
  const d = suite.dependences[0];
  const roles = [...new Set([...rolesOf(suite).values()].flatMap((own) => [...own]))];
  const words = roles
    .map((role) => [h("dt", {}, mark(role), roleWords[role]), h("dd", {}, roleMeaning[role])])
    .flat();
  return h(
    "details",
    { class: "meaning", open: suite.dependences.length > 0 },
    h("summary", {}, "What is test dependence?"),
    h(
      "p",
      {},
      "Tests should give the same result in any order. A test is dependent when tests that ran before it in the same process change its result: they leave something behind, such as a global variable, a file or an environment variable, and the test trips over it. Such tests break when tests are added, reordered, selected or run in parallel, far from the change that gets the blame.",
    ),
    d
      ? h(
          "div",
          { class: "example" },
          h("p", {}, "For example, in this suite ", h("a", { href: `#${d.id}` }, d.id), ":"),
          twoOrders(d),
        )
      : null,
    words.length > 0 ? h("dl", { class: "words" }, ...words) : null,
    note("Everything that is called dependent here was run, repeated, and gave the same result each time."),
  );
}

/** What nobody has looked at, as far as the search knows. */
function unexplored(suite: Suite): Child[][] {
  const { search } = suite;
  const lines: Child[][] = [];
  const left = search.pairs_total - search.pairs_covered;
  if (left > 0 && search.complete_k < 2)
    lines.push([
      `${count(left, "ordered pair")} of tests (${percent(left, search.pairs_total)}) were not run.`,
    ]);
  const unseen = search.unseen_orders ?? [];
  const [lost] = unseen;
  if (lost)
    lines.push([
      `${count(search.unseen_total ?? unseen.length, "order")} gave no result that counts, for example `,
      h("q", {}, lost.order.slice(-4).join(", ")),
      `: ${lost.why}.`,
    ]);
  if (search.out_of_budget)
    lines.push([
      `The budget${search.budget_seconds ? ` of ${seconds(search.budget_seconds)}` : ""} ended before the search did.`,
    ]);
  if (suite.tests.length > Math.max(search.complete_k, 2))
    lines.push([
      `A result that changes only after ${Math.max(search.complete_k, 2)} or more particular tests together may have been missed.`,
    ]);
  if (suite.left_out.length > 0)
    lines.push([
      `${count(suite.left_out.length, "test")} ${suite.left_out.length === 1 ? "was" : "were"} left out: `,
      h("a", { href: "#asides" }, "which and why"),
      ".",
    ]);
  const disabled = suite.tests.filter((test) => test.disabled).length;
  if (disabled > 0) lines.push([`${count(disabled, "test")} ${disabled === 1 ? "is" : "are"} disabled.`]);
  return lines;
}

function explored(suite: Suite): HTMLElement {
  const { search } = suite;
  const bullets = (lines: Child[][]) => h("ul", {}, ...lines.map((line) => h("li", {}, ...line)));
  const cost = `${count(search.orders, "order")} with ${count(search.tests_run, "test run")} in ${seconds(search.seconds)}; algorithm ${search.algorithm}, orders kept apart by ${search.isolation}.`;
  const share = search.pairs_total > 0 ? (100 * search.pairs_covered) / search.pairs_total : 0;
  const meter = h(
    "div",
    {
      class: "meter",
      role: "img",
      "aria-label": `${percent(search.pairs_covered, search.pairs_total)} of all ordered pairs were run`,
    },
    h("span", { style: `width:${share}%` }),
  );
  const left = unexplored(suite);
  return h(
    "div",
    { class: "columns" },
    h(
      "div",
      {},
      h("h3", {}, "What was explored"),
      search.pairs_total > 0
        ? [
            meter,
            note(`${number(search.pairs_covered)} of ${number(search.pairs_total)} ordered pairs were run.`),
          ]
        : null,
      bullets([...suite.explored.map((line) => [line]), [cost]]),
    ),
    h(
      "div",
      {},
      h("h3", {}, "What was not"),
      left.length > 0 ? bullets(left) : h("p", {}, "Nothing is left in a suite this small."),
    ),
  );
}

/** The state that most dependences hang on: where to begin. */
function carriers(suite: Suite, filter: Filter): HTMLElement | null {
  const groups = [...byCarrier(suite.dependences)].filter(([name]) => name !== notExplained);
  if (groups.length === 0) return null;
  const most = groups[0][1].length;
  const rows = groups.slice(0, 8).map(([name, own]) => {
    const show = () => {
      filter.want({ carrier: name });
      document.getElementById("dependences")?.scrollIntoView();
    };
    const link = h("button", { type: "button", class: "link", click: show }, h("code", {}, name));
    return h(
      "li",
      {},
      link,
      h("span", { class: "amount", style: `width:${(100 * own.length) / most}%` }),
      h("span", { class: "muted" }, count(own.length, "dependence")),
    );
  });
  const rest = groups.length - rows.length;
  return h(
    "div",
    {},
    h("h3", {}, "The state that carries them"),
    h("ul", { class: "ranking" }, ...rows),
    rest > 0 ? note(`and ${count(rest, "more carrier", "more carriers")}`) : null,
  );
}

function nextSteps(suite: Suite): HTMLElement | null {
  const steps: [string, string][] = [];
  const [first] = suite.dependences;
  const unexplained = suite.dependences.find((d) => !d.explanation);
  const untried = suite.dependences.find((d) => !d.repair);
  if (first) steps.push(["See one with your own eyes", commandFor(first, "replay")]);
  if (unexplained)
    steps.push([`Find the state behind ${unexplained.id}`, commandFor(unexplained, "explain")]);
  if (untried) steps.push([`Have patches made and checked for ${untried.id}`, commandFor(untried, "fix")]);
  const repaired = suite.dependences.find(isRepaired);
  if (repaired)
    steps.push([
      "Put the verified patches into your sources",
      commandFor(repaired, "fix", " --apply").replace(` ${repaired.id}`, ""),
    ]);
  if (!first && suite.search.complete_k < 2)
    steps.push(["Search on where this search stopped", `gordian detect ${suite.suite.binary}`]);
  if (steps.length === 0) return null;
  const items = steps.map(([why, how]) => h("li", {}, why, command(how)));
  return h("div", {}, h("h3", {}, "What to do next"), h("ol", { class: "steps" }, ...items));
}

export function summary(suite: Suite, filter: Filter): HTMLElement {
  const below = [carriers(suite, filter), nextSteps(suite)].filter((part) => part);
  const notices = suite.notices.map((one) =>
    h("li", {}, one.level === "warning" ? badge("warn", "warning") : null, " ", one.text),
  );
  return section(
    "summary",
    "Summary",
    verdict(suite),
    tiles(suite),
    meaning(suite),
    explored(suite),
    below.length > 0 ? h("div", { class: "columns" }, ...below) : null,
    notices.length > 0
      ? h(
          "details",
          {},
          h("summary", {}, count(notices.length, "notice of the search", "notices of the search")),
          h("ul", {}, ...notices),
        )
      : null,
  );
}
