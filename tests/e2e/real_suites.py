#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Suites that we did not write: GoogleTest's and GoogleMock's own tests, from the distribution.

They are compiled once into BUILD/real. What is compared needs no knowledge of them: fork against
a fresh process for each test, one process against the program run by itself, and orders against
their own replay.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import unittest
import xml.etree.ElementTree
from pathlib import Path

import gordian

SOURCES = Path("/usr/src/googletest")
TESTS = {
    "gtest_unittest": "googletest/test/gtest_unittest.cc",
    "death_test": "googletest/test/googletest-death-test-test.cc",
    "param_test": ["googletest/test/googletest-param-test-test.cc",
                   "googletest/test/googletest-param-test2-test.cc"],
    "actions_test": "googlemock/test/gmock-actions_test.cc",
    "spec_builders_test": "googlemock/test/gmock-spec-builders_test.cc",
}
FOLDER = gordian.BUILD / "real"


def sources_of(name):
    files = TESTS[name]
    return [SOURCES / file for file in ([files] if isinstance(files, str) else files)]


def build(name):
    """Compiles one suite unless it is newer than its sources; returns the binary."""
    binary = FOLDER / name
    newest = max(path.stat().st_mtime for path in sources_of(name))
    if binary.exists() and binary.stat().st_mtime > newest:
        return binary
    fresh = binary.with_suffix(".new")
    subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-O0", "-g1", "-w", "-pthread",
                    f"-I{SOURCES}/googletest", f"-I{SOURCES}/googlemock",
                    *map(str, sources_of(name)), "-o", str(fresh), "-lgmock", "-lgtest",
                    "-lgtest_main"], check=True)
    fresh.rename(binary)
    return binary


def stock_results(binary, scratch):
    """{test: failed?} as the program itself says; skips count as not failed."""
    report = scratch / "stock.xml"
    env = gordian.clean_environment(GTEST_COLOR="no")
    subprocess.run([binary, f"--gtest_output=xml:{report}"], cwd=scratch, env=env,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   timeout=gordian.PATIENCE, check=False)
    found = {}
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        if case.get("status") == "run":
            word = "skip" if case.get("result") == "skipped" else "pass"
            word = "fail" if case.find("failure") is not None else word
            found[f"{case.get('classname')}.{case.get('name')}"] = word
    return found


@unittest.skipUnless(SOURCES.is_dir(), "the sources of GoogleTest are not installed (googletest)")
class RealSuites(gordian.Case):
    @classmethod
    def setUpClass(cls):
        FOLDER.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.binaries = dict(zip(TESTS, pool.map(build, TESTS)))

    def for_each(self, check):
        for name, binary in self.binaries.items():
            with self.subTest(suite=name):
                shutil.rmtree(self.dir / ".gordian", ignore_errors=True)
                check(binary)

    def test_fork_and_process_agree(self):
        def agree(binary):
            forked, fresh = (gordian.outcomes(self.run_json("run", binary, "--isolate", how))
                             for how in ("fork", "process"))
            self.assertGreater(len(forked), 40)
            self.assertEqual(forked, fresh)
        self.for_each(agree)

    def test_one_process_is_what_the_program_does_itself(self):
        def agree(binary):
            run = self.run_json("run", binary, "--isolate", "none")
            self.assertEqual(gordian.outcomes(run), stock_results(binary, self.dir))
        self.for_each(agree)

    def check_replay(self, order):
        def replayed(binary):
            run = self.run_json("run", binary, "--isolate", "none", "--order", order)
            again = self.gordian("replay", run["id"], "--json", "replay.json")
            replay = json.loads((self.dir / "replay.json").read_text())
            self.assertEqual(gordian.order_of(replay), gordian.order_of(run))
            self.assertEqual(gordian.outcomes(replay), gordian.outcomes(run))
            self.assertIn("All results are as in R1", again.err)
        self.for_each(replayed)

    def test_reverse_is_replayed(self):
        self.check_replay("reverse")

    def test_random_orders_are_replayed(self):
        self.check_replay("random:11")

    def test_interleaved_orders_are_replayed(self):
        self.check_replay("interleave:12")


if __name__ == "__main__":
    gordian.main()
