#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Tests that write over Gordian's memory: no crash, no lie, no harm, and a whole report.

GORDIAN_OVERWRITING_SEEDS=200 for more of them.
"""
import os
import unittest

import apart
import gordian

SUITE = gordian.BUILD / "overwriting" / "overwriting"
SEEDS = range(int(os.environ.get("GORDIAN_OVERWRITING_SEEDS", "6")))
HOSTILE, FAILS = "Hostile.Overwrites", "Behind.Fails"
TESTS = ["Before.IsQuiet", "Before.Adds", "Before.Raises", HOSTILE, "Behind.Passes", FAILS]
OVERWRITTEN = "has overwritten Gordian's memory"

def patterns():
    yield from (("ff", by) for by in ("test", "thread", "child"))
    yield from (("zero", by) for by in ("test", "thread", "child"))
    for seed in SEEDS:
        yield f"wild:{seed}", ("test", "thread", "child")[seed % 3]


class Overwriting(apart.Case):
    def hostile(self, *words, pattern, by):
        ran = self.apart(*words, "--json", "-", OVERWRITE=pattern, OVERWRITE_BY=by)
        self.assertIn(ran.code, (0, 1), ran)
        return ran.json()

    def check_run(self, isolation, pattern, by="test", timeout="10s"):
        run = self.hostile("run", SUITE, "--isolate", isolation, "--timeout", timeout, "-j2",
                           "--no-db", pattern=pattern, by=by)
        kinds = {r["test"]: r for r in gordian.results(run)}
        self.assertEqual(sorted(kinds), sorted(TESTS), "the report is whole")
        for test in TESTS:
            kind, message = kinds[test]["outcome"], kinds[test]["message"] or ""
            behind = TESTS.index(test) > TESTS.index(HOSTILE)
            meanwhile = isolation == "none" and by != "test"  # somebody wrote all the time
            if test == HOSTILE and pattern.startswith(("kill", "stop", "refuse")):
                pass
            elif test == HOSTILE:
                self.assertTrue(OVERWRITTEN in message or by != "test" and kind == "pass" or
                                meanwhile and kind == "lost", kinds[test])
            elif isolation == "none" and behind and kind == "not_run":
                pass  # behind the test that was ended, as behind any crash
            elif kind == "lost" or OVERWRITTEN in message:
                self.assertTrue(meanwhile, kinds[test])
            else:
                self.assertEqual(kind, "fail" if test == FAILS else "pass", kinds[test])
        return kinds

    def test_each_test_by_itself(self):
        for isolation in ("snapshot", "fork", "process"):
            for pattern, by in patterns():
                with self.subTest(isolation=isolation, pattern=pattern, by=by):
                    self.check_run(isolation, pattern, by)

    def test_all_in_one_process(self):
        for pattern, by in patterns():
            with self.subTest(pattern=pattern, by=by):
                self.check_run("none", pattern, by)

    def test_the_one_that_did_it_is_named(self):
        for isolation in ("none", "snapshot", "fork", "process"):
            for pattern in ("ff", "zero", *(("others",) if isolation == "none" else ())):
                with self.subTest(isolation=isolation, pattern=pattern):
                    kinds = self.check_run(isolation, pattern)
                    self.assertEqual(kinds[HOSTILE]["outcome"], "crash")
                    self.assertIn(OVERWRITTEN, kinds[HOSTILE]["message"])

    def test_overwriting_for_ever_is_out_of_time(self):
        kinds = self.check_run("process", "on:1", timeout="1s")
        self.assertIn(OVERWRITTEN, kinds[HOSTILE]["message"])

    def test_killing_everybody_kills_nobody_else(self):
        for isolation in ("none", "snapshot", "fork", "process"):
            for pattern in ("kill", "kill-on"):
                with self.subTest(isolation=isolation, pattern=pattern):
                    kinds = self.check_run(isolation, pattern)
                    self.assertIn(kinds[HOSTILE]["outcome"], ("pass", "crash"))

    def test_whoever_is_stopped_goes_on(self):
        for isolation in ("none", "snapshot", "fork", "process"):
            for pattern in ("stop-parent", "stop-all"):
                with self.subTest(isolation=isolation, pattern=pattern):
                    kinds = self.check_run(isolation, pattern)
                    self.assertEqual(kinds[HOSTILE]["outcome"], "pass")

    def test_a_forged_refusal_is_not_obeyed_for_ever(self):
        for isolation in ("snapshot", "fork"):
            with self.subTest(isolation=isolation):
                kinds = self.check_run(isolation, "refuse")
                self.assertEqual(kinds[HOSTILE]["outcome"], "pass")

    def test_a_search_finds_what_is_there_and_nothing_else(self):
        for pattern, by in (("reached", "test"), ("refuse", "test"), *patterns()):
            with self.subTest(pattern=pattern, by=by):
                found = self.hostile("detect", SUITE, "--algorithm", "exhaustive", "-k", "2",
                                     "--budget", "60s", "--timeout", "10s", "--no-db",
                                     pattern=pattern, by=by)
                dependent = {(d["test"], d["role"]) for d in found["dependences"]}
                innocent = {d for d in dependent if d[0] != HOSTILE}
                if by == "test":
                    self.assertEqual(dependent, {("Before.IsQuiet", "victim")}, found)
                elif innocent != {("Before.IsQuiet", "victim")}:
                    # What is left behind hits whoever runs next: a dependence on the hostile test.
                    for d in found["dependences"]:
                        self.assertIn(d["test"], TESTS)
                        if d["test"] != "Before.IsQuiet":
                            self.assertIn(HOSTILE, d["witness"], d)


if __name__ == "__main__":
    unittest.main()
