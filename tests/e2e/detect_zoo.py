#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`gordian detect` on every suite of the zoo says what zoo/verdicts.json says, and nothing else.

What is found, its role, its witness, its three results, its polluters or state-setters, and its
cleaners. Clean suites have no dependence; non-deterministic and hostile ones no false one.
"""
import concurrent.futures
import shutil
import tempfile
import time
import unittest
from pathlib import Path

import gordian
from hostile import processes_of

OPTIONS = ("--timeout", "1s", "--budget", "60s", "--all", "--seed", "1")
PATIENCE = 10  # seconds for what was left behind to be gone


def suites():
    verdicts = gordian.zoo_suites()
    return [s for s in verdicts if s["tests"] and s.get("listable", True)]


def left_behind(directory):
    """What still runs from `directory`, once it had time to go."""
    end = time.monotonic() + PATIENCE
    while (left := processes_of(directory)) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def search(suite, *words):
    """(Ran, what it left running), in a directory of its own with a copy of the binary."""
    scratch = Path(tempfile.mkdtemp(prefix="gordian_e2e_")).resolve()
    try:
        binary = scratch / suite["name"]
        shutil.copy2(gordian.ZOO / suite["folder"] / suite["name"], binary)
        ran = gordian.gordian("detect", binary, *OPTIONS, *words, "--no-db", "--json", "-",
                              cwd=scratch)
        return ran, left_behind(scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def listed(suite):
    """{test: [dependence of verdicts.json]}."""
    by_test = {}
    for dependence in suite.get("dependences", []):
        by_test.setdefault(dependence["test"], []).append(dependence)
    return by_test


class DetectZoo(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.suites = suites()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.searched = list(pool.map(search, cls.suites))

    def for_each(self, check, *classes):
        """check(suite, Ran, its JSON), for suites of these classes; each failure by itself."""
        for suite, (ran, _) in zip(self.suites, self.searched):
            if not classes or suite["class"] in classes:
                with self.subTest(suite=suite["folder"] + "/" + suite["name"]):
                    self.assertIn(ran.code, (0, 1), ran)
                    check(suite, ran, ran.json())

    def for_each_found(self, check):
        """check(dependence found, the one of the listed that it is), where there is one."""
        def pair_up(suite, _, facts):
            for found in facts["dependences"]:
                for wanted in listed(suite).get(found["test"], []):
                    if wanted["role"] == found["role"]:
                        check(found, wanted)
        self.for_each(pair_up)

    def test_exactly_the_dependent_tests_are_found(self):
        def check(suite, ran, facts):
            found = [(d["test"], d["role"]) for d in facts["dependences"]]
            wanted = [(d["test"], d["role"]) for d in suite.get("dependences", [])]
            self.assertEqual(sorted(found), sorted(wanted), ran.err)
        self.for_each(check)

    def test_roles(self):
        def check(suite, _, facts):
            for found in facts["dependences"]:
                roles = {wanted["role"] for wanted in listed(suite)[found["test"]]}
                self.assertIn(found["role"], roles, found["test"])
        self.for_each(check, "guilty")

    def test_witnesses_are_as_short_as_listed_and_real(self):
        def check(found, wanted):
            # Besides what a test declares to need, which is run with it.
            needed = wanted.get("declared", [])
            witness = [test for test in found["witness"] if test not in needed]
            self.assertEqual(len(witness), wanted["k"], found["witness"])
            self.assertEqual(witness, [*found["by"], found["test"]])
            if wanted["k"] == 3 and not wanted.get("any_order"):
                self.assertEqual(found["by"], wanted["by"])
            elif wanted["k"] == 3:
                self.assertEqual(sorted(found["by"]), sorted(wanted["by"]))
        self.for_each_found(check)

    def test_results_of_the_three_orders(self):
        def check(found, wanted):
            seen = {key: found[key]["outcome"] for key in ("expected", "alone", "witnessed")}
            self.assertEqual(seen, {"expected": wanted["expected"], "alone": wanted["alone"],
                                    "witnessed": wanted["observed"]}, found["test"])
            self.assertGreaterEqual(found["confirmed"], 3)
            self.assertGreaterEqual(found["confirmed_fresh"], 3)
            self.assertEqual(found["passes_after"], wanted.get("passes_after", []))
        self.for_each_found(check)

    def test_polluters_and_state_setters(self):
        def check(found, wanted):
            for key in ("polluters", "state_setters"):
                if key in wanted:
                    self.assertEqual(sorted(found[key]), sorted(wanted[key]), found["test"])
                    self.assertTrue(found["polluters_complete"])
        self.for_each_found(check)

    def test_cleaners(self):
        def check(found, wanted):
            if "cleaners" in wanted:
                self.assertEqual(sorted(found["cleaners"]), sorted(wanted["cleaners"]),
                                 found["by"])
                self.assertTrue(found["cleaners_complete"])
        self.for_each_found(check)

    def test_nondeterministic_tests_are_those_listed(self):
        """In suites whose tests keep their results there are none."""
        def check(suite, ran, facts):
            seen = {test["test"] for test in facts["nondeterministic"]}
            self.assertLessEqual(seen, set(suite.get("nondeterministic", [])), ran.err)
        self.for_each(check)

    def test_most_nondeterministic_tests_are_seen(self):
        """Chance may hide one of them in one search, hardly all."""
        seen = sum(len(ran.json()["nondeterministic"])
                   for suite, (ran, _) in zip(self.suites, self.searched)
                   if suite["class"] == "nondeterministic")
        self.assertGreaterEqual(seen, 3)

    def test_small_suites_are_searched_completely(self):
        def check(_, ran, facts):
            self.assertEqual(facts["end"], "finished")
            self.assertEqual(facts["left_out"], [], ran.err)
            self.assertGreaterEqual(facts["search"]["complete_k"], 2)
        self.for_each(check, "guilty", "clean")

    def test_forks_find_what_snapshots_find(self):
        """The searches above isolate by snapshots where the binary allows it."""
        def essence(ran):
            return [{key: found[key] for key in ("test", "role", "by", "polluters", "state_setters",
                                                 "cleaners") if key in found}
                    for found in ran.json()["dependences"]]
        guilty = [(suite, ran) for suite, (ran, _) in zip(self.suites, self.searched)
                  if suite["class"] == "guilty"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            forked = list(pool.map(lambda pair: search(pair[0], "--isolate", "fork")[0], guilty))
        used = [ran.json()["search"]["isolation"] for _, ran in guilty]
        self.assertGreater(used.count("snapshot"), 60)
        for (suite, ran), other in zip(guilty, forked):
            with self.subTest(suite=suite["name"]):
                self.assertEqual(essence(other), essence(ran))

    def test_exit_code(self):
        def check(_, ran, facts):
            self.assertEqual(ran.code, 1 if facts["dependences"] else 0, ran)
        self.for_each(check)

    def test_nothing_is_left_running(self):
        for suite, (_, left) in zip(self.suites, self.searched):
            with self.subTest(suite=suite["name"]):
                self.assertEqual(left, {})

    def test_the_table_is_the_whole_zoo(self):
        """A verdict that is not looked at would always hold."""
        classes = [suite["class"] for suite in self.suites]
        self.assertGreater(classes.count("guilty"), 50)
        self.assertGreater(classes.count("clean"), 50)
        self.assertGreater(classes.count("hostile"), 20)


if __name__ == "__main__":
    gordian.main()
