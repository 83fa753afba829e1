# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What one more test costs once its process is warm: for a small process, against the pages that a
test writes, and against the heap that was there before the first test.

Each cost is the time of all tests of a binary minus that of its first 20, so that starting the
program, filling its heap and taking the snapshot do not count.
"""
import os

import measure
from measure import Contender

FEW = "Suite000.*"
FEW_TESTS = 20
BARE, SNAPSHOT, FORK = "bare", "snapshot", "fork"
WAYS = {
    SNAPSHOT: ["--isolate", "snapshot", "-j1"],
    "snapshot-shared": ["--isolate", "snapshot", "-j1", "--private-fs", "off"],
    FORK: ["--isolate", "fork", "-j1"],
    "fork-shared": ["--isolate", "fork", "-j1", "--private-fs", "off"],
}
PAGES = (1, 10, 100, 1000)
HEAPS = (10, 100, 200, 1000)
NEEDED = 4  # times its heap must be free: the program, the server, its worker and its keeper


def heaps(quick):
    free_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES") >> 20
    return [mb for mb in HEAPS if mb * NEEDED < free_mb and not (quick and mb > 200)]


def names(quick):
    """{part: {number: suite}}: the number is that of the curve."""
    size = 500 if quick else 1000
    big = 500 if quick else 2000
    return {"warm": {0: f"trivial-{big}"},
            "pages": {n: f"pages{n}-{size}" for n in PAGES},
            "heap": {mb: f"heap{mb}-{big}" for mb in heaps(quick)}}


def all_names(quick):
    return [name for part in names(quick).values() for name in part.values()]


def bare(lab, name, binary, words):
    return Contender(name, lambda: measure.timed([binary, *words], lab.scratch))


def gordian(lab, name, binary, options, words):
    argv = [lab.gordian, "run", "--no-db", *options, *words, binary]
    return Contender(name, lambda: measure.timed(argv, lab.scratch))


def both(lab, binary, ways):
    """All tests, and the first few, of every way."""
    made = [bare(lab, "bare all", binary, []),
            bare(lab, "bare few", binary, [f"--gtest_filter={FEW}"])]
    for way in ways:
        made += [gordian(lab, f"{way} all", binary, WAYS[way], []),
                 gordian(lab, f"{way} few", binary, WAYS[way], ["--filter", FEW])]
    return made


def measure_point(lab, suite, ways, rounds):
    """{way: us for one more test}."""
    lab.progress(f"curve: {suite}")
    for way in ways:
        lab.check_gordian(suite, WAYS[way])
    samples = lab.race(both(lab, lab.suites[suite], ways), rounds)
    tests = int(suite.rsplit("-", 1)[1]) - FEW_TESTS
    return {way: 1e6 * (samples.best(f"{way} all") - samples.best(f"{way} few")) / tests
            for way in (BARE, *ways)}


def run(lab):
    found = {}
    for part, suites in names(lab.quick).items():
        ways = list(WAYS) if part == "warm" else ["snapshot-shared", "fork-shared"]
        rounds = lab.pick(15 if part == "warm" else 5, 1)
        found[part] = [{"at": at, "us": measure_point(lab, suite, ways, rounds)}
                       for at, suite in suites.items()]
    return found
