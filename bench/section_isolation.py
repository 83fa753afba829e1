# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Every test alone: Gordian's fork against fresh processes."""
import os

import ctest_tree
from suites import generate
from table import Section, faster

CTEST_TESTS = generate.CHUNK  # one object file
JOBS = (1, 2)


def suites(quick):
    size = 500 if quick else 2000
    return [f"trivial-{size}", f"slow-start-{size}", "files-500", "trivial-500"]


def fork_options(jobs, files):
    return ["--isolate", "fork", f"-j{jobs}", "--private-fs", files]


def run(lab):
    suite = suites(lab.quick)[0]
    tests = int(suite.rsplit("-", 1)[1])
    names = generate.test_names(tests)
    slow_rounds = lab.pick(2, 1)
    private = lab.private_files(suite)
    kinds_of_files = ("on", "off") if private else ("off",)
    contenders = [lab.bare("bare", suite)]
    for jobs in JOBS:
        for files in kinds_of_files:
            contenders.append(lab.gordian_run(f"fork {jobs} {files}", suite,
                                              fork_options(jobs, files)))
        contenders += [
            lab.gordian_run(f"process {jobs}", suite, ["--isolate", "process", f"-j{jobs}"],
                            rounds=slow_rounds),
            lab.fresh_processes(f"loop {jobs}", suite, names, jobs, slow_rounds)]
    objects = [lab.directory / name for name in ("tests-00.o", "prelude-trivial.o")]
    contenders.append(ctest_tree.contender(lab, "ctest", f"trivial-{CTEST_TESTS}", "gtest", objects,
                                           CTEST_TESTS, rounds=slow_rounds))
    samples = lab.race(contenders, lab.pick(5, 1))

    section = Section("isolation", f"Every test alone: {tests:,} trivial tests", "test")
    loops = {jobs: section.add(samples, f"loop {jobs}", tests,
                               f"a fresh process per test, {jobs} at a time (baseline)")
             for jobs in JOBS}
    for files in kinds_of_files:
        single = None
        for jobs in JOBS:
            row = section.add(samples, f"fork {jobs} {files}", tests,
                              f"`gordian run --isolate fork -j{jobs} --private-fs {files}`")
            faster(row, loops[jobs], f"fresh processes, {jobs} at a time", at_least=8)
            single = single or row
        scaling = row.again(f"the same, `-j2` against `-j1` (`--private-fs {files}`)")
        faster(scaling, single, "`-j1`", at_least=1.5 if os.cpu_count() > 1 else None)
        section.rows.append(scaling)
    for jobs in JOBS:
        row = section.add(samples, f"process {jobs}", tests,
                          f"`gordian run --isolate process -j{jobs}`")
        faster(row, loops[jobs], f"fresh processes, {jobs} at a time")
    row = section.add(samples, "ctest", CTEST_TESTS, "`ctest -j2` after `gtest_discover_tests`")
    faster(row, loops[2], "fresh processes, 2 at a time")
    section.add(samples, "bare", tests, "the bare binary, all tests in one process: no isolation")
    section.notes += [
        "Gordian's time is the whole command: reading the binary, starting it, running every test, "
        "storing the run in a database.",
        f"ctest was measured on a binary of {CTEST_TESTS} tests, without discovery (done at build "
        "time); rates are compared."]
    add_slow_start(lab, section)
    if private:
        add_files(lab, section)
    else:
        section.notes.append("This machine does not allow private files: rows with them are "
                             "missing.")
    return section


def add_slow_start(lab, section):
    suite = suites(lab.quick)[1]
    tests = int(suite.rsplit("-", 1)[1])
    sample = generate.test_names(lab.pick(100, 20))
    samples = lab.race([lab.fresh_processes("loop", suite, sample, 2),
                        lab.gordian_run("fork", suite, fork_options(2, "auto"))], lab.pick(2, 1))
    loop = section.add(samples, "loop", len(sample),
                       "slow start (50 ms before `main`): a fresh process per test, 2 at a time")
    row = section.add(samples, "fork", tests, "slow start: `gordian run --isolate fork -j2`")
    faster(row, loop, "fresh processes, 2 at a time", at_least=8)
    section.notes.append(f"Slow start: fresh processes were measured on {len(sample)} of the "
                         "tests; rates are compared.")


def add_files(lab, section):
    suite, tests = "files-500", 500
    samples = lab.race([lab.gordian_run(f"fork {files}", suite, fork_options(1, files))
                        for files in ("on", "off")], lab.pick(5, 1))
    base = section.add(samples, "fork off", tests,
                       "each test writes a file: `--isolate fork -j1 --private-fs off`")
    row = section.add(samples, "fork on", tests,
                      "each test writes a file: `--isolate fork -j1 --private-fs on`")
    faster(row, base, "`--private-fs off`")
    section.notes.append("Private files cost something only after a test that wrote some: the view "
                         "is renewed then. The trivial tests write none, hence the two rows where "
                         "every test does.")
