# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""bench/results/rank.md, and its part for docs/rank.md."""
import os

TECHNIQUES = ["T1", "T3", "T4", "T5", "T7"]
# DTDetector (ISSTA 2014), table 6: human-written suites.
PAPER_IMPACT = {"Joda-Time": [0, 0, 1, 0, 0], "XML Security": [0, 0, 0, 0, 0],
                "Crystal": [12, 11, 16, 11, 12], "Synoptic": [0, 0, 0, 0, 0]}
# VMVM (ICSE 2014), table 4: size, time reduced, time isolated, time of both; in percent saved.
PAPER_REDUCE = {"Ant v8": (150, 10, 18, 27, 37), "JMeter v5": (32, 16, 8, 50, 52),
                "jtopas v3": (18, 17, 27, 48, 68), "xml-sec v3": (13, 38, 19, 54, 55),
                "average of 19": (51, 12, 13, 46, 49)}
TARGET = (5000, 50000, 10.0)  # tests, lines, seconds: what we call "seconds"
BUSY = "The machine had other work to do: its times say little. "
IMPACT_NOTES = [
    "Each cell: tests whose result is not that of the default order, each time the order was run "
    "(three times). `gordian impact`, seed 1. *Random*: the most and the least that ten more random "
    "orders change.",
    "*Found*: dependent tests that `gordian detect --budget 60s` finds in the same suite.",
    "*Aware*: the sum over all five orders of `gordian impact --aware` after that search. *Price*: "
    "what T4 loses of its rate by it. *More*: processes besides the first, and runs for the sake of "
    "others, over all five orders.",
]
REDUCE_NOTES = [
    "`gordian reduce`: Harrold, Gupta and Soffa on statements, with what known dependences need. "
    "Saved in percent, as in the paper: of the tests; and of the time that a process for each test "
    "takes, one at a time: by reducing, by snapshots (VMVM's place), by both. The least of {rounds} "
    "rounds.",
    "*Changed*: results of the reduced tests that are not as expected, by coverage alone / with "
    "dependences kept.",
]


def cell(order):
    text = str(len(order["changed"]))
    return text + (f" (+{order['not_reached']} not reached)" if order["not_reached"] else "")


def impact_row(row):
    random = [len(order["changed"]) for order in row["random"]]
    rate = {order["technique"]: order["rates"]["statements"] for order in row["orders"]}["T4"]
    aware = {order["technique"]: order["rates"]["statements"] for order in row["aware"]}["T4"]
    changed = sum(len(order["changed"]) for order in row["aware"])
    more = sum(order["processes"] - 1 for order in row["aware"])
    extra = sum(order["extra_runs"] for order in row["aware"])
    by_technique = {order["technique"]: order for order in row["orders"]}
    cells = [cell(by_technique[technique]) for technique in TECHNIQUES]
    return (f"| `{row['name']}` | {row['tests']:,} | {' | '.join(cells)} | {min(random)} to "
            f"{max(random)} | {row['dependences']} | {changed} | {rate - aware:.4f} | "
            f"{more} / {extra} |")


def impact_lines(rows):
    lines = ["| suite | tests | " + " | ".join(TECHNIQUES) +
             " | random | found | aware | price | more |", "|---|--:|" + "--:|" * 10]
    lines += [impact_row(row) for row in rows]
    lines += [f"| *{name}* (paper) | | {' | '.join(map(str, cells))} | | | | | |"
              for name, cells in PAPER_IMPACT.items()]
    return lines


def saved(row):
    """(by reducing, by snapshots, by both) in percent of a process for each test."""
    times = {time["isolation"]: time for time in row["times"]}
    base = times["process"]["seconds_all"]
    return tuple(100 * (base - seconds) / base for seconds in
                 (times["process"]["seconds_reduced"], times["snapshot"]["seconds_all"],
                  times["snapshot"]["seconds_reduced"]))


def reduce_lines(rows):
    lines = ["| suite | tests | kept | size | time: reduced | snapshots | both | changed |",
             "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        size = 100 * (row["tests"] - row["kept"]) / row["tests"]
        times = " | ".join(f"{percent:.0f} %" for percent in saved(row))
        lines.append(f"| `{row['name']}` | {row['tests']:,} | {row['kept']:,} | {size:.0f} % | "
                     f"{times} | {row['changed_unaware']} / {row['changed']} |")
    lines += [f"| *{name}* (paper) | {tests} | | " + " | ".join(f"{p} %" for p in percents) + " | |"
              for name, (tests, *percents) in PAPER_REDUCE.items()]
    return lines


def cost_lines(rows):
    lines = ["| tests | lines | T3 | T4 | T4 aware | curve | reduce | kept |", "|" + "--:|" * 8]
    lines += [f"| {row['tests']:,} | {row['lines']:,} | {row['total']:.3f} | "
              f"{row['additional']:.3f} | {row['aware']:.3f} | {row['curve']:.3f} | "
              f"{row['reduce']:.3f} | {row['kept']:,} |" for row in rows]
    return lines


def target_line(rows):
    tests, lines, most = TARGET
    row = next((row for row in rows if (row["tests"], row["lines"]) == (tests, lines)), None)
    if row is None:
        return []
    slowest = max(row[name] for name in ("total", "additional", "aware"))
    return [f"Prioritising {tests:,} tests x {lines:,} lines: {slowest:.2f} s by the slowest "
            f"technique; target: at most {most:g} s: {'met' if slowest <= most else '**missed**'}."]


def measured_line(part):
    measured = part["measured"]
    return ["", f"Measured {measured['date']}, load average before: {measured['load']:.2f}, gordian "
            f"{measured['gordian']}.", ""]


def moments_line(rows):
    moments = [row["measured"] for row in rows]
    dates = sorted(moment["date"] for moment in moments)
    loads = [moment["load"] for moment in moments]
    versions = ", ".join(sorted({moment["gordian"] for moment in moments}))
    return ["", f"Measured {dates[0]} to {dates[-1]}, load average before each suite: "
            f"{min(loads):.1f} to {max(loads):.1f}, gordian {versions}. " +
            BUSY * (max(loads) > os.cpu_count()) +
            "Changed results do not depend on the load; times do, and so does what a search finds "
            "within its budget.", ""]


def bullets(notes):
    return ["", *(f"* {note}" for note in notes)]


def render(results):
    lines = ["# Prioritised and reduced suites", "",
             *(["A smoke test. These are no results.", ""] if results["quick"] else []),
             "Written by `bench/rank`. Absolute times belong to this machine only.", "",
             "| machine | |", "|---|---|",
             *(f"| {name} | {value} |" for name, value in results["machine"].items()), ""]
    if "impact" in results:
        notes = IMPACT_NOTES + [f"Left out: {why}." for why in results.get("left_out", [])]
        lines += ["## What prioritised orders change (DTDetector's table 6)", "",
                  *impact_lines(results["impact"]["rows"]), *bullets(notes),
                  *moments_line(results["impact"]["rows"])]
    if "reduce" in results:
        rows = results["reduce"]["rows"]
        rounds = " or ".join(str(count) for count in sorted({row["rounds"] for row in rows}))
        notes = [note.format(rounds=rounds) for note in REDUCE_NOTES]
        lines += ["## What reducing saves, beside isolation (VMVM's table 4)", "",
                  *reduce_lines(rows), *bullets(notes), *moments_line(rows)]
    if "cost" in results:
        rows = results["cost"]["rows"]
        lines += ["## What ranking costs, without runs", "", *target_line(rows), "",
                  *cost_lines(rows), "",
                  "Processor seconds, the least of the rounds; generated coverage, one victim and "
                  "one brittle test in a hundred for *aware*.", *measured_line(results["cost"])]
    return "\n".join(lines).rstrip() + "\n"


def docs_part(results):
    return "\n".join([
        "Tests whose result changes, by technique; DTDetector's figures below ours:", "",
        *impact_lines(results["impact"]["rows"]), "",
        "What reducing saves of the time that a process for each test takes; VMVM's figures below "
        "ours:", "", *reduce_lines(results["reduce"]["rows"]),
        *moments_line(results["reduce"]["rows"]),
        *target_line(results["cost"]["rows"]), "",
        "What each column means, more sizes and the machine: "
        "[`bench/results/rank.md`](../bench/results/rank.md)."])
