# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""How the cost of a forked test grows: with the heap before the first test, with the suite."""
from table import Row, Section, growth

OPTIONS = ["--isolate", "fork", "-j1", "--private-fs", "off", "--no-db"]
HEAPS = (1, 10, 100)


def test_counts(quick):
    return (500, 1000) if quick else (500, 1000, 2000, 5000)


def suites(quick):
    return [*(f"heap{mb}-500" for mb in HEAPS), *(f"trivial-{n}" for n in test_counts(quick))]


def add_heaps(lab, section):
    """The start of the program is taken off: a run of one test tells it."""
    contenders = []
    for name in ("trivial", *(f"heap{mb}" for mb in HEAPS)):
        contenders += [lab.gordian_run(f"{name} all", f"{name}-500", OPTIONS),
                       lab.gordian_run(f"{name} one", f"{name}-500", OPTIONS,
                                       words=["--filter", "Suite000.Test00"])]
    samples = lab.race(contenders, lab.pick(5, 1))

    def add(name, what):
        seconds = samples.best(f"{name} all") - samples.best(f"{name} one")
        row = Row(what, seconds, samples.rounds(f"{name} all"), 499,
                  samples=samples.times[f"{name} all"])
        section.rows.append(row)
        return row

    base = add("trivial", "fork, heap of some 100 kB before the first test (baseline)")
    for mb in HEAPS:
        growth(add(f"heap{mb}", f"fork, heap of {mb} MB"), base, "without that heap")
    section.notes.append("Heap rows: 500 tests minus a run of one test, so that starting the program "
                         "and filling its heap do not count.")


def add_counts(lab, section):
    counts = test_counts(lab.quick)
    samples = lab.race([lab.gordian_run(f"{n}", f"trivial-{n}", OPTIONS) for n in counts],
                       lab.pick(4, 1))
    base = None
    for n in counts:
        row = section.add(samples, f"{n}", n, f"fork, suite of {n:,} tests")
        if base:
            growth(row, base, f"with {counts[0]} tests", at_most=1.25)
        base = base or row


def run(lab):
    section = Section("growth", "How the cost of a forked test grows", "test")
    add_heaps(lab, section)
    add_counts(lab, section)
    section.notes.append("All rows: `gordian run --isolate fork -j1 --private-fs off --no-db`.")
    return section
