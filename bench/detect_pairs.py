# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`gordian detect --algorithm exhaustive -k 2` to its end against a process start per pair."""
import search
from lab import some_pairs
from measure import Contender, Failed, Time
from suites.planted import PlantedSuite
from table import Section, faster

WANTED = 30


def suites(generator, quick):
    """{kind of start: suite}: one victim and one polluter each."""
    tests = 20 if quick else 120
    return {kind: PlantedSuite(generator, f"pair-{kind}-{tests}", tests, 1)
            for kind in ("trivial", "slow-start")}


def exhaustive(lab, suite, name, *options, rounds=1000):
    def run():
        hunt = search.detect(lab, suite, ["--algorithm", "exhaustive", "-k", "2", *options])
        if set(hunt.found) != set(suite.truth()) or hunt.search["complete_k"] < 2:
            raise Failed(f"{suite.name}: the search is not complete")
        return Time(hunt.seconds)
    return Contender(name, run, rounds)


def add_suite(lab, section, suite, label, sample, at_least, rounds):
    lab.suites[suite.name] = suite.binary
    pairs = suite.tests * (suite.tests - 1)
    filters = some_pairs(suite.tests, sample)
    names = {"loop": f"{label}: a fresh process per pair, 2 at a time (baseline)",
             "fork": f"{label}: `detect --algorithm exhaustive -k 2`",
             "process": f"{label}: the same with `--isolate process`"}
    contenders = [lab.fresh_processes("loop", suite.name, filters, 2),
                  exhaustive(lab, suite, "fork")]
    if at_least:  # with a slow start it would take minutes
        contenders.append(exhaustive(lab, suite, "process", "--isolate", "process", rounds=1))
    samples = lab.race(contenders, rounds)
    rows = {key: section.add(samples, key, len(filters) if key == "loop" else pairs, names[key])
            for key in (c.name for c in contenders)}
    faster(rows["fork"], rows["loop"], "a fresh process per pair", at_least=at_least)
    if at_least:
        faster(rows["process"], rows["loop"], "a fresh process per pair")


def run(lab, planted):
    tests = planted["trivial"].tests
    section = Section("pairs", f"Every ordered pair of {tests} tests, one victim among them",
                      "pair")
    add_suite(lab, section, planted["trivial"], "trivial tests", lab.pick(2000, 50), WANTED,
              lab.pick(3, 1))
    add_suite(lab, section, planted["slow-start"], "50 ms before main()", lab.pick(100, 10), None,
              lab.pick(3, 1))
    section.notes += [
        f"Searches ran all {tests * (tests - 1):,} pairs, with the default order, confirmation, "
        "minimisation and the lists of polluters and cleaners; time from start to exit.",
        "Fresh processes were measured on a sample of pairs (column pairs) and rates are compared: "
        "`--gtest_filter=A:B`, started by posix_spawn without a shell. GoogleTest runs both tests "
        "in the order of their registration, so the loop gives the cost of an experiment, not its "
        "result; `--isolate process` runs each pair in its own order.",
        "A pair costs one rollback to the state behind its first test, not a fork."]
    return section
