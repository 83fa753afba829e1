# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""All ordered pairs of n tests: the engine's forks against one process start per pair."""
from lab import some_pairs
from table import Section, faster, growth

SUITE, LONG = "trivial-500", "long-500"
LONG_TESTS = 12


def suites(quick):
    del quick
    return [SUITE, LONG]


def pairs_of(tests):
    return tests * (tests - 1)


def add_trivial(lab, section):
    sizes = lab.pick((100, 200, 300), (20, 30, 40))
    sample = some_pairs(sizes[-1], lab.pick(500, 50))
    rounds = {sizes[0]: lab.pick(3, 1), sizes[1]: lab.pick(2, 1), sizes[2]: 1}
    contenders = [lab.fresh_processes(f"loop {jobs}", SUITE, sample, jobs) for jobs in (1, 2)]
    contenders += [lab.all_pairs(f"{shape} 1", SUITE, sizes[0], shape, 1)
                   for shape in ("flat", "tree")]
    if private := lab.private_files(SUITE):
        contenders.append(lab.all_pairs("private", SUITE, sizes[0], "flat", 2, "private"))
    contenders += [lab.all_pairs(f"{shape} {n}", SUITE, n, shape, 2, rounds=rounds[n])
                   for n in sizes for shape in ("flat", "tree")]
    samples = lab.race(contenders, lab.pick(3, 1))

    loops = {jobs: section.add(samples, f"loop {jobs}", len(sample),
                               f"a fresh process per pair, {jobs} at a time (baseline)")
             for jobs in (1, 2)}
    for shape in ("flat", "tree"):
        row = section.add(samples, f"{shape} 1", pairs_of(sizes[0]),
                          f"all pairs of {sizes[0]} tests, {shape}, -j1")
        faster(row, loops[1], "fresh processes", at_least=8)
    if private:
        row = section.add(samples, "private", pairs_of(sizes[0]),
                          f"all pairs of {sizes[0]} tests, flat, -j2, private files")
        faster(row, loops[2], "fresh processes, 2 at a time", at_least=8)
    for shape in ("flat", "tree"):
        add_sizes(section, samples, shape, sizes, loops[2])
    section.notes.append(f"Fresh processes were measured on a sample of {len(sample)} pairs; rates "
                         "are compared. All tests are the first n of one binary.")


def add_sizes(section, samples, shape, sizes, loop):
    rows = []
    for n in sizes:
        row = section.add(samples, f"{shape} {n}", pairs_of(n),
                          f"all pairs of {n} tests, {shape}, -j2")
        faster(row, loop, "fresh processes, 2 at a time", at_least=8)
        rows.append(row)
    grown = rows[-1].again(
        f"the same, a pair of {sizes[-1]} tests against one of {sizes[0]} ({shape})")
    growth(grown, rows[0], f"with {sizes[0]} tests", at_most=1.25)
    section.rows.append(grown)


def add_long(lab, section):
    sample = some_pairs(LONG_TESTS, lab.pick(132, 20))
    samples = lab.race([lab.fresh_processes("loop", LONG, sample, 1),
                        lab.all_pairs("flat", LONG, LONG_TESTS, "flat", 1),
                        lab.all_pairs("tree", LONG, LONG_TESTS, "tree", 1)], lab.pick(3, 1))
    what = f"all pairs of {LONG_TESTS} tests of 5 ms"
    loop = section.add(samples, "loop", len(sample), f"{what}: a fresh process per pair")
    flat = section.add(samples, "flat", pairs_of(LONG_TESTS), f"{what}: flat, -j1")
    tree = section.add(samples, "tree", pairs_of(LONG_TESTS), f"{what}: tree, -j1")
    faster(flat, loop, "fresh processes")
    faster(tree, flat, "flat", at_least=1.5)
    section.notes.append("A tree runs a shared first test once instead of once per pair: with 5 ms "
                         "tests that is nearly half of the work, with trivial ones nothing.")


def run(lab):
    section = Section("pairs", "All ordered pairs", "pair")
    add_trivial(lab, section)
    add_long(lab, section)
    return section
