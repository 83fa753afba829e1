# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`gordian detect` (auto) on planted suites of growing size, beside GoogleTest's own shuffle."""
from collections import Counter

import search
from suites.planted import SORTS, PlantedSuite, dependents_of

BUDGET = 60   # seconds: the default of auto
PATIENCE = 15  # seconds of --gtest_repeat: what has not failed by then is masked by what was left


def sizes(quick):
    return (100,) if quick else (100, 300, 1000, 3000)


def suites(generator, quick):
    return {n: PlantedSuite(generator, f"planted-{n}", n, dependents_of(n)) for n in sizes(quick)}


def by_sort(suite, names):
    """[found, planted] for each sort."""
    sorts = suite.sorts()
    planted, found = Counter(sorts.values()), Counter(sorts[name] for name in names)
    return {sort: [found[sort], planted[sort]] for sort in SORTS}


def facts_of(suite, hunt, **more):
    return {"seconds": hunt.seconds, "orders": hunt.orders, "found": len(hunt.found),
            "last": hunt.last(), "by_sort": by_sort(suite, hunt.found), **more}


def best_detect(lab, suite, *arguments):
    """The quickest to its last find. Searches that use up their budget are run once."""
    best = None
    for _ in range(lab.pick(2, 1)):
        hunt = search.detect(lab, suite, ["--budget", f"{BUDGET}s"], arguments)
        if not best or (-len(hunt.found), hunt.last()) < (-len(best.found), best.last()):
            best = hunt
        if hunt.search["out_of_budget"]:
            break
    return best


def gordian_facts(suite, hunt):
    said = hunt.search
    return facts_of(suite, hunt, tests_run=said["tests_run"], complete_k=said["complete_k"],
                    pairs_covered=said["pairs_covered"] / said["pairs_total"],
                    out_of_budget=said["out_of_budget"],
                    phases=[[p["algorithm"], p["found"], p["seconds"], p["finished"]]
                            for p in said["phases"]])


def measure_suite(lab, suite):
    lab.progress(f"{suite.tests} tests: gordian")
    hunt = best_detect(lab, suite)
    row = {"tests": suite.tests, "planted": len(suite.planted),
           "gordian": gordian_facts(suite, hunt)}
    lab.progress(f"{suite.tests} tests: gordian, brief")
    row["brief"] = facts_of(suite, best_detect(lab, suite, "--gtest_brief=1"))
    for how, seconds in (("fresh", hunt.seconds), ("repeat", min(hunt.seconds, PATIENCE))):
        lab.progress(f"{suite.tests} tests: shuffle, {how}")
        row[how] = facts_of(suite, search.shuffle(lab, suite, how, 2, seconds))
    return row


def run(lab, planted):
    return [measure_suite(lab, suite) for suite in planted.values()]
