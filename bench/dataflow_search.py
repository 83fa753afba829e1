# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`detect --algorithm dataflow --both-ways` beside every pair, on planted suites of growing size."""
import search
from suites.planted import PlantedSuite, build_all, dependents_of

WAYS = {"every pair": ["--algorithm", "exhaustive", "-k", "2"],
        "dataflow": ["--algorithm", "dataflow", "--both-ways"]}


def suites(generator, quick):
    sizes = (100,) if quick else (100, 300, 1000)
    planted = [PlantedSuite(generator, f"planted-{n}", n, dependents_of(n)) for n in sizes]
    build_all(generator, planted)
    return planted


def facts_of(hunt):
    said = hunt.search
    return {"seconds": hunt.seconds, "found": len(hunt.found), "orders": said["orders"],
            "tests_run": said["tests_run"]}


def measure(lab, suite):
    row = {"tests": suite.tests, "planted": len(suite.planted)}
    for way, options in WAYS.items():
        lab.progress(f"{suite.tests} tests: {way}")
        rounds = [facts_of(search.detect(lab, suite, options)) for _ in range(lab.pick(2, 1))]
        row[way] = min(rounds, key=lambda facts: facts["seconds"])
    return row


def run(lab, planted):
    return [measure(lab, suite) for suite in planted]


def render(rows):
    lines = ["", "## Beside every pair", "",
             "| tests | planted | every pair: found | seconds | orders | dataflow: found | seconds | "
             "orders | every pair / dataflow |", "|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        pairs, flow = row["every pair"], row["dataflow"]
        lines.append(f"| {row['tests']:,} | {row['planted']} | {pairs['found']} "
                     f"| {pairs['seconds']:.2f} | {pairs['orders']:,} | {flow['found']} "
                     f"| {flow['seconds']:.2f} | {flow['orders']:,} "
                     f"| {pairs['seconds'] / flow['seconds']:.1f} |")
    return lines + ["", "* `gordian detect` with `-k 2`, and with `--algorithm dataflow --both-ways`, "
                    "which collects the data flow of the default order and of its reverse on the "
                    "binary as it is, and refines it. Whole commands, the better of two.",
                    "* Tests take microseconds: a pair costs next to nothing, and most of the other "
                    "side is collection. Every verdict was checked against what was planted."]
