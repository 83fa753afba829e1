# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""How cost grows: with the heap before the first test, with the suite, with the database."""
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
                  samples=samples.seconds(f"{name} all"))
        section.rows.append(row)
        return row

    base = add("trivial", "fork, heap of some 100 kB before the first test (baseline)")
    for mb in HEAPS:
        growth(add(f"heap{mb}", f"fork, heap of {mb} MB"), base, "without that heap")
    section.notes.append("Heap rows: 500 tests minus a run of one test, so that starting the "
                         "program and filling its heap do not count.")


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


def add_databases(lab, section):
    tests = test_counts(lab.quick)[-1]
    runs = (1, lab.pick(50, 5))
    samples = lab.race([lab.gordian_run(f"{n}", f"trivial-{tests}", ["--isolate", "none"],
                                        earlier_runs=n) for n in runs], lab.pick(10, 2))
    base = section.add(samples, f"{runs[0]}", tests,
                       "`gordian run --isolate none`, database with 1 earlier run")
    row = section.add(samples, f"{runs[1]}", tests,
                      f"`gordian run --isolate none`, database with {runs[1]} earlier runs")
    growth(row, base, "with 1 earlier run", at_most=1.25)


def run(lab):
    section = Section("growth", "How cost grows", "test")
    add_heaps(lab, section)
    add_counts(lab, section)
    add_databases(lab, section)
    section.notes.append("Fork rows: `gordian run --isolate fork -j1 --private-fs off --no-db`.")
    return section
