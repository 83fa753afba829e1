# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The experiment of the repair paper: tests of the zoo whose results change in prioritised orders
(`gordian impact`), before any repair and with the patches of each way."""
import concurrent.futures
import os
import shutil
import subprocess

import as_project
from measure import Failed
from suites import traced

GUARDS = "gordian_guards.h"  # of each patch its own, under another name where all are applied


def patched(directory, suites, diffs):
    """The zoo with all patches of one way."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    as_project.write(directory, suites)
    for suite in suites:
        diff = diffs.get(as_project.target_of(suite))
        if not diff:
            continue
        done = subprocess.run(["git", "apply", "-"], cwd=directory,
                              env={**os.environ, "GIT_CEILING_DIRECTORIES": str(directory.parent)},
                              input=diff.replace(GUARDS, f"{suite['name']}_guards.h"),
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"the patch of {as_project.target_of(suite)}: {done.stderr}")


def changed_tests(lab, scratch, binary):
    """Those whose result one of the five orders changes, or why there are no such orders."""
    try:
        facts = as_project.ask(lab.gordian, ["impact", binary, "--no-db", "-j1", "--timeout", "2s",
                                             "--budget", "1s", "--seed", "1"], scratch)
    except as_project.Broken as broken:
        return None, str(broken)
    return sorted(facts["affected"]), None


def run(lab, suites, diffs):
    """{way: {suite: tests that change}} of the suites that could be ordered, and why others not.
    `diffs`: {way: {suite: patch}}."""
    flags = traced.flags_of(lab.gordian, "--coverage", "--compiler", "g++")
    link = traced.flags_of(lab.gordian, "--coverage", "--link", "--compiler", "g++")
    changed, left_out = {}, {}
    for way in ("before", *diffs):
        directory = lab.directory / "fix-orders" / way
        lab.progress(f"building {len(suites)} suites with counters, {way}")
        patched(directory, suites, diffs.get(way, {}))
        binaries = as_project.build(directory, suites, flags=flags, link=link)
        lab.progress(f"prioritised orders, {way}")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip(binaries, pool.map(
                lambda item: changed_tests(lab, directory, item), binaries.values())))
        changed[way] = {name: tests for name, (tests, why) in found.items() if tests is not None}
        left_out |= {name: why for name, (tests, why) in found.items() if tests is None}
    return {"changed": {way: {name: tests for name, tests in of.items() if name not in left_out}
                        for way, of in changed.items()},
            "left_out": left_out}
