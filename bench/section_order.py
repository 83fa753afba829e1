# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The default order in one process: `gordian run --isolate none` against the bare binary."""
from table import Section, overhead

VARIANTS = {
    "db": ([], "`gordian run --isolate none`"),
    "no-db": (["--no-db"], "`gordian run --isolate none --no-db`"),
    "shared": (["--no-db", "--private-fs", "off"],
               "`gordian run --isolate none --no-db --private-fs off`"),
}
KINDS = {"work": "100 us", "trivial": "trivial"}


def sizes(quick):
    return (500, 1000) if quick else (500, 5000)


def suites(quick):
    small, big = sizes(quick)
    return [f"work-{big}", f"trivial-{big}", f"trivial-{small}"]


def contenders(lab, suite):
    log = lab.scratch / "log.txt"
    both = [lab.bare(f"{suite} bare", suite, log), lab.bare(f"{suite} null", suite)]
    for key, (options, _) in VARIANTS.items():
        both.append(lab.gordian_run(f"{suite} {key}", suite, ["--isolate", "none", *options], log))
    return both


def add_suite(section, samples, suite, at_most):
    kind, tests = suite.rsplit("-", 1)
    tests, label = int(tests), KINDS[kind]
    base = section.add(samples, f"{suite} bare", tests,
                       f"{tests:,} {label} tests: the bare binary, output to a file (baseline)")
    null = section.add(samples, f"{suite} null", tests,
                       f"{tests:,} {label} tests: the bare binary, output to /dev/null")
    overhead(null, base)
    for key, (_, words) in VARIANTS.items():
        row = section.add(samples, f"{suite} {key}", tests,
                          f"{tests:,} {label} tests: {words}")
        overhead(row, base, at_most)


def fixed_and_per_test(samples, quick):
    """A line through two suites of different size: what a run costs, and what a test adds."""
    small, big = sizes(quick)
    lines = []
    for key, (_, words) in VARIANTS.items():
        extra = {n: samples.best(f"trivial-{n} {key}") - samples.best(f"trivial-{n} bare")
                 for n in (small, big)}
        slope = (extra[big] - extra[small]) / (big - small)
        fixed = extra[small] - slope * small
        lines.append(f"{words} costs {1e3 * fixed:.1f} ms a run and {1e6 * slope:+.2f} us a test "
                     f"on top of the bare binary (line through {small} and {big:,} trivial tests).")
    return lines


def run(lab):
    work, big, small = suites(lab.quick)
    section = Section("order", "Default order in one process", "test")
    samples = lab.race(contenders(lab, work), lab.pick(7, 1))
    add_suite(section, samples, work, at_most=0.05)
    samples = lab.race(contenders(lab, big) + contenders(lab, small), lab.pick(20, 3))
    for suite in (big, small):
        add_suite(section, samples, suite, at_most=None)
    section.notes += fixed_and_per_test(samples, lab.quick)
    section.notes.append("Gordian's output goes to the same file as the bare binary's. The "
                         "database holds one earlier run. CPU seconds count all processes: "
                         "what they have on top of the wall clock ran on another core.")
    return section
