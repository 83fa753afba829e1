# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`detect --algorithm dataflow` beside every pair, on planted suites of growing size."""
import search
from suites.planted import PlantedSuite, build_all, dependents_of

WAYS = {"every pair": ["--algorithm", "exhaustive", "-k", "2"],
        "dataflow": ["--algorithm", "dataflow"],
        "both ways": ["--algorithm", "dataflow", "--both-ways"]}
# Prelude, and how long a test takes.
KINDS = {"trivial": "microseconds", "ms": "1 ms"}
SAMPLE = 60          # seconds of every pair, where all of them would take minutes
SAMPLED = {("ms", 1000)}


def suites(generator, quick):
    sizes = (100,) if quick else (100, 300, 1000)
    planted = []
    for kind in KINDS:
        name = "planted" if kind == "trivial" else f"planted-{kind}"
        some = [PlantedSuite(generator, f"{name}-{n}", n, dependents_of(n)) for n in sizes]
        build_all(generator, some, kind)
        planted += [(kind, suite) for suite in some]
    return planted


# `auto` on suites whose pairs do not fit into its budget: prelude, tests, share that cleans.
AUTO = [("ms", 1000, 0.05), ("ms", 1000, 0.4), ("trivial", 3000, 0.05), ("trivial", 3000, 0.4)]
AUTO_QUICK = [("ms", 100, 0.05)]


def auto_suites(generator, quick):
    planted = []
    for kind, tests, cleaning in AUTO_QUICK if quick else AUTO:
        name = f"planted-{kind}-{tests}-{round(100 * cleaning)}"
        suite = PlantedSuite(generator, name, tests, dependents_of(tests), cleaning=cleaning)
        build_all(generator, [suite], kind)
        planted.append((kind, cleaning, suite))
    return planted


def measure_auto(lab, kind, cleaning, suite):
    lab.progress(f"{suite.tests} tests of {KINDS[kind]}, {cleaning:.0%} clean: auto")
    hunt = search.detect(lab, suite, ["--budget", f"{lab.pick(60, 5)}s"])
    sorts = suite.sorts()
    cleaned = {test for test, sort in sorts.items() if sort == "cleaned victim"}
    return {"tests": suite.tests, "each": KINDS[kind], "cleaning": cleaning,
            "planted": len(suite.planted), "found": len(hunt.found), "last": hunt.last(),
            "masked": len(cleaned), "found_masked": len(cleaned & set(hunt.found)),
            "phases": {phase["algorithm"]: {key: phase[key] for key in
                                            ("seconds", "found", "finished")}
                       for phase in hunt.search["phases"]}}


def run_auto(lab, planted):
    return [measure_auto(lab, *one) for one in planted]


def flow_text(row):
    phase = row["phases"].get("dataflow")
    if phase is None:
        return "not used"
    return f"{phase['seconds']:.1f} s, found {phase['found']}" + ("" if phase["finished"]
                                                                  else ", not finished")


def render_auto(rows):
    lines = ["## What `auto` makes of it", "",
             "Suites whose pairs do not fit into the budget of 60 s.", "",
             "| tests | each takes | tests that clean a masked victim | planted | found | the last "
             "after | of masked ones | by then, `dataflow` |", "|--:|--:|--:|--:|--:|--:|--:|---|"]
    lines += [f"| {row['tests']:,} | {row['each']} | {row['cleaning']:.0%} | {row['planted']} "
              f"| {row['found']} | {row['last']:.1f} s | {row['found_masked']} of {row['masked']} "
              f"| {flow_text(row)} |" for row in rows]
    return lines + [""]


def facts_of(hunt):
    said = hunt.search
    return {"seconds": hunt.seconds, "found": len(hunt.found), "orders": said["orders"],
            "tests_run": said["tests_run"]}


def sample_pairs(lab, suite):
    """Orders of pairs in a minute; the seconds for all of them follow from that."""
    hunt = search.detect(lab, suite, [*WAYS["every pair"], "--budget", f"{SAMPLE}s"])
    phase = max(hunt.search["phases"], key=lambda phase: phase["seconds"])
    pairs = suite.tests * (suite.tests - 1)
    return {"seconds": phase["seconds"] * pairs / phase["orders"], "orders": pairs,
            "sample": {"orders": phase["orders"], "seconds": phase["seconds"],
                       "found": len(hunt.found)}}


def measure(lab, kind, suite):
    row = {"tests": suite.tests, "planted": len(suite.planted), "each": KINDS[kind]}
    for way, options in WAYS.items():
        lab.progress(f"{suite.tests} tests of {KINDS[kind]}: {way}")
        if way == "every pair" and (kind, suite.tests) in SAMPLED:
            row[way] = sample_pairs(lab, suite)
            continue
        count = lab.pick(2, 1) if kind == "trivial" else 1
        rounds = [facts_of(search.detect(lab, suite, options)) for _ in range(count)]
        row[way] = min(rounds, key=lambda facts: facts["seconds"])
    return row


def run(lab, planted):
    return [measure(lab, kind, suite) for kind, suite in planted]


def cell(facts):
    if "sample" in facts:
        sample = facts["sample"]
        return f"({sample['found']} in the sample) | about {facts['seconds']:,.0f} | {facts['orders']:,}"
    return f"{facts['found']} | {facts['seconds']:.2f} | {facts['orders']:,}"


def ratio(row, way):
    return row["every pair"]["seconds"] / row[way]["seconds"]


def headline(rows):
    worst, best = (pick(rows, key=lambda row: ratio(row, "dataflow")) for pick in (min, max))
    said = [f"{ratio(row, 'dataflow'):.1f} times as long as `dataflow` on {row['tests']:,} tests of "
            f"{row['each']}" for row in (worst, best)]
    missed = [f"{row['tests']:,} tests of {row['each']}" for row in rows
              if row["dataflow"]["found"] < row["planted"]]
    text = f"Every pair takes {said[0]}, and {said[1]}."
    slower = [row for row in rows if ratio(row, "dataflow") < 1]
    if slower:
        text += f" Target missed: `dataflow` is the slower one on {len(slower)} of {len(rows)} suites."
    if missed:
        text += f" It does not find all that is planted in: {'; '.join(missed)}."
    return text


def render(rows):
    lines = ["## Beside every pair", "", headline(rows), "",
             "| tests | each takes | planted | every pair: found | seconds | orders "
             "| dataflow: found | seconds | orders | **every pair / dataflow** "
             "| --both-ways: found | seconds | orders | every pair / both ways |",
             "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        lines.append(f"| {row['tests']:,} | {row['each']} | {row['planted']} "
                     f"| {cell(row['every pair'])} | {cell(row['dataflow'])} "
                     f"| **{ratio(row, 'dataflow'):.1f}** | {cell(row['both ways'])} "
                     f"| {ratio(row, 'both ways'):.1f} |")
    return lines + ["", "* `gordian detect` with `-k 2`, with `--algorithm dataflow`, and with "
                    "`--both-ways` added, which collects the reverse order, too. Whole commands, with "
                    "the lists of polluters and cleaners; the better of two where tests take "
                    "microseconds.",
                    f"* *About*: measured for {SAMPLE} seconds, and reckoned from the orders run in "
                    "that time.",
                    "* Every verdict was checked against what was planted.", ""]
