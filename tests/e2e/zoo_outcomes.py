#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Every suite of the zoo comes out as zoo/verdicts.json says, under every isolation.

`none` runs the default order in one process: the verdict is `default`. `snapshot`, `fork` and
`process` run each test alone: the verdict is `alone`, and they must agree to the letter of a failure. Where
Gordian's own rules differ from the framework's words, verdicts.json says so under `gordian`.
"""
import concurrent.futures
import shutil
import tempfile
import unittest

import gordian

ISOLATIONS = ("none", "snapshot", "fork", "process")
# The time limit must be reached by the hanging tests and by no other, on a busy machine too.
TIMEOUT = "1s"


def suites():
    return gordian.zoo_suites()


def expected(suite, isolation):
    """{test: outcome} for the tests whose outcome is known."""
    words = dict(suite["default"])
    which = "default" if isolation == "none" else "alone"
    if which == "alone":
        words.update(suite["alone"])
    words.update(suite.get("gordian", {}).get(which, {}))
    varying = suite.get("nondeterministic", [])
    return {test: word for test, word in words.items() if test not in varying}


def run_suite(suite):
    """{isolation: Ran} for one suite."""
    binary = gordian.ZOO / suite["folder"] / suite["name"]
    ran = {}
    for isolation in ISOLATIONS:
        scratch = tempfile.mkdtemp(prefix="gordian_e2e_")
        try:
            ran[isolation] = gordian.gordian(
                "run", binary, "--isolate", isolation, "--timeout", TIMEOUT, "-j2", "--no-db",
                "--json", "-", cwd=scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return ran


class ZooOutcomes(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.runnable = [s for s in suites() if s["tests"] and s.get("listable", True)]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            cls.ran = dict(zip((s["folder"] + "/" + s["name"] for s in cls.runnable),
                               pool.map(run_suite, cls.runnable)))

    def for_each_suite(self, check):
        """One failing suite must not hide the others."""
        for suite in self.runnable:
            name = suite["folder"] + "/" + suite["name"]
            with self.subTest(suite=name):
                check(suite, self.ran[name])

    def check(self, isolation):
        def outcomes_agree(suite, ran):
            self.assertIn(ran[isolation].code, (0, 1), ran[isolation])
            run = ran[isolation].json()
            self.assertEqual(gordian.order_of(run), suite["tests"])
            seen = gordian.outcomes(run)
            wanted = expected(suite, isolation)
            self.assertEqual({test: seen[test] for test in wanted}, wanted, ran[isolation].err)
        self.for_each_suite(outcomes_agree)

    def test_none_is_the_default_verdict(self):
        self.check("none")

    def test_snapshot_is_the_verdict_alone(self):
        self.check("snapshot")

    def test_fork_is_the_verdict_alone(self):
        self.check("fork")

    def test_process_is_the_verdict_alone(self):
        self.check("process")

    def test_all_ways_to_isolate_fail_in_the_same_place_with_the_same_words(self):
        def failures_agree(suite, ran):
            snapshot, forked, fresh = (gordian.results(ran[how].json())
                                       for how in ("snapshot", "fork", "process"))
            for one, other in [*zip(forked, fresh, strict=True), *zip(snapshot, fresh, strict=True)]:
                if one["outcome"] == "fail" and one["test"] in expected(suite, "fork"):
                    self.assertEqual(gordian.failure_of(one), gordian.failure_of(other),
                                     one["test"])
                    self.assertIsNotNone(one["message"], one["test"])
        self.for_each_suite(failures_agree)

    def test_exit_code_tells_whether_all_is_well(self):
        def code_agrees(_, ran):
            for isolation in ISOLATIONS:
                words = set(gordian.outcomes(ran[isolation].json()).values())
                all_well = words <= {"pass", "skip"}
                self.assertEqual(ran[isolation].code, 0 if all_well else 1, ran[isolation])
        self.for_each_suite(code_agrees)

    def test_the_table_names_every_binary_that_can_be_run(self):
        """A verdict without a binary would otherwise never be checked."""
        self.assertGreater(len(self.runnable), 100)
        for name, ran in self.ran.items():
            self.assertEqual(set(ran), set(ISOLATIONS), name)


if __name__ == "__main__":
    gordian.main()
