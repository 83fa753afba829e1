# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""bench/results/detect.md, and its summary for README.md and docs/detect.md."""
import table
from suites.planted import SORTS

WAYS = {"gordian": "`gordian detect`", "brief": "the same, `-- --gtest_brief=1`",
        "fresh": "shuffle, a fresh process per seed",
        "repeat": "shuffle, `--gtest_repeat` in one process"}


def seconds_text(seconds):
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"


def percent(share):
    return f"{100 * share:.0f} %" if share >= 0.995 or share == 0 else f"{100 * share:.2g} %"


def end_text(gordian):
    if gordian["out_of_budget"]:
        return f"budget, during {gordian['phases'][-1][0]}"
    return f"complete for {gordian['complete_k']} tests"


def growth_lines(rows):
    lines = ["| tests | planted | found | to the last of them | to the end | orders | tests run | "
             "pairs run | ended by |", "|--:|--:|--:|--:|--:|--:|--:|--:|---|"]
    for row in rows:
        g = row["gordian"]
        lines.append(f"| {row['tests']:,} | {row['planted']} | {g['found']} "
                     f"| {seconds_text(g['last'])} | {seconds_text(g['seconds'])} "
                     f"| {g['orders']:,} | {g['tests_run']:,} | {percent(g['pairs_covered'])} "
                     f"| {end_text(g)} |")
    return lines


def rate_text(facts):
    return f"{facts['found'] / facts['last']:.2f}" if facts["found"] else "0"


def beside_lines(rows):
    lines = [f"| tests | way | {' | '.join(SORTS)} | seconds | orders | last new one | "
             "found a second until then |", "|--:|---|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        for way, words in WAYS.items():
            facts = row[way]
            found = " | ".join("{} of {}".format(*facts["by_sort"][sort]) for sort in SORTS)
            lines.append(f"| {row['tests']:,} | {words} | {found} | {facts['seconds']:.2f} "
                         f"| {facts['orders']:,} | {seconds_text(facts['last'])} "
                         f"| {rate_text(facts)} |")
    return lines


def phase_lines(rows):
    lines = ["| tests | where `auto` found them, and its time there |", "|--:|---|"]
    for row in rows:
        steps = "; ".join(f"{name} {found} in {seconds_text(seconds)}{'' if done else ' (cut)'}"
                          for name, found, seconds, done in row["gordian"]["phases"])
        lines.append(f"| {row['tests']:,} | {steps} |")
    return lines


GROWTH_NOTES = [
    "`gordian detect --budget 60s --seed 1 --no-db`: the default budget. Times from the start of "
    "the command; a find counts when it is confirmed, minimised and printed. The best of two "
    "searches, or the only one where the budget ended it.",
    "One test in a hundred is dependent, at least three. Three sorts take turns: a victim, a "
    "brittle test, and a victim that one test in 20 cleans. All suites pass in the default order. "
    "Tests take microseconds.",
    "Every verdict was checked against what was planted: role and cause.",
    "\"Pairs run\" counts ordered pairs that ran as the first two of an order. An order of all "
    "tests counts as one pair, however many stand side by side in it.",
]
BESIDE_NOTES = [
    "The shuffles ran for as long as Gordian took (`--gtest_repeat`: at most 15 s), or until all "
    "that is planted had failed once (nobody else would know when to stop), 2 processes at a time, "
    "with `--gtest_brief=1`.",
    "A shuffle tells which test failed. It does not tell whether that comes back, nor the role, "
    "the polluter, or an order that shows it. Gordian's times include all of these.",
    "`--gtest_repeat` keeps the process: what a polluter left stays, so later rounds fail in any "
    "order, and a brittle test can fail in the first round only.",
]


def measured_line(measured):
    return (f"Measured {measured['date']}, load average before: {measured['load']:.2f}, gordian "
            f"{measured['gordian']}.")


def bullets(notes):
    return ["", *(f"* {note}" for note in notes), ""]


def render(results):
    lines = ["# Benchmarks of `gordian detect`", "",
             *(["A smoke test: small suites, one round. These are no results.", ""]
               if results["quick"] else []),
             "Written by `bench/detect`. Both sides were measured in the same run. Absolute times "
             "belong to this", "machine only.", "", "| machine | |", "|---|---|",
             *(f"| {name} | {value} |" for name, value in results["machine"].items()), ""]
    if results.get("pairs"):
        lines += table.render_section(results["pairs"])
    if results.get("growth"):
        rows = results["growth"]["rows"]
        lines += ["## Growing suites with planted dependences", "", *growth_lines(rows),
                  *bullets(GROWTH_NOTES), *phase_lines(rows), "",
                  "## Beside GoogleTest's own shuffle", "", *beside_lines(rows),
                  *bullets(BESIDE_NOTES), measured_line(results["growth"]["measured"])]
    return "\n".join(lines).rstrip() + "\n"


def summary(results, link):
    """What the README and docs/detect.md show."""
    lines = ["| tests | dependent | `gordian detect`, 60 s at most | GoogleTest's shuffle, fresh "
             "processes, as long |", "|--:|--:|---|---|"]
    for row in results["growth"]["rows"]:
        cells = [f"{facts['found']}, the last after {seconds_text(facts['last'])}"
                 for facts in (row["gordian"], row["fresh"])]
        lines.append(f"| {row['tests']:,} | {row['planted']} | {' | '.join(cells)} |")
    pairs = next(r for r in results["pairs"]["rows"] if r["target"])
    lines += ["", f"All {pairs['items']:,} ordered pairs of 120 tests, each from a clean state: "
                  f"{pairs['seconds']:.1f} s, {pairs['ratio_text']}",
              f"(target: {pairs['target']}, {'met' if pairs['met'] else 'missed'}). How it was "
              f"measured: [`bench/results/detect.md`]({link})."]
    return "\n".join(lines)
