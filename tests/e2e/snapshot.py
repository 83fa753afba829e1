#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Snapshot isolation: every test comes out as in a fresh process, whatever ran before it.

The zoo's polluters run right before their victims. What verdicts.json says under `snapshot` is
checked to the word: which tests cannot be undone and why, and that with the part of the snapshot
left out which undoes a polluter (GORDIAN_SNAPSHOT_WITHOUT) the polluter is noticed. A test of a
mechanism that nobody would miss proves nothing.

Orders stand behind each other in one order file: isolated tests are a sequence in any case, and one
start of the program serves a dozen orders.
"""
import concurrent.futures
import random
import shutil
import tempfile
import unittest
from pathlib import Path

import gordian
import real
from zoo_outcomes import expected

TIMEOUT = "1s"
NOT_TAKEN = "no snapshot was worth taking"  # the last test, or after tests that never profit
RANDOM_ORDERS = 10 if gordian.THOROUGH else 3


def suites():
    verdicts = gordian.zoo_suites()
    return [s for s in verdicts if s["tests"] and s.get("listable", True)]


def name_of(suite):
    return suite["folder"] + "/" + suite["name"]


def run_order(binary, order, *words, without=None, way=None):
    """`gordian run --isolate snapshot` of this order, one test after the other."""
    scratch = Path(tempfile.mkdtemp(prefix="gordian_e2e_"))
    try:
        (scratch / "order").write_text("\n".join(order) + "\n")
        changes = {"GORDIAN_SNAPSHOT_WITHOUT": without} if without else {}
        changes.update({"GORDIAN_SNAPSHOT_BACKEND": way} if way else {})
        return gordian.gordian("run", binary, "--isolate", "snapshot", "--order", "order", "-j1",
                               "--timeout", TIMEOUT, "--no-db", "--json", "-", *words, cwd=scratch,
                               env=gordian.clean_environment(**changes))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def dependences(suite):
    """Those of two tests that a fork does not hide."""
    return [d for d in suite.get("dependences", []) if d["role"] != "self_dependent"]


def polluted_order(suite):
    """All tests, then every dependent test right behind what it depends on, then all again."""
    pairs = [test for d in dependences(suite) for test in (*d["by"], d["test"])]
    return suite["tests"] + pairs + suite["tests"]


def random_orders(tests, seed):
    """Some, one behind the other."""
    shuffler = random.Random(seed)
    return [test for _ in range(RANDOM_ORDERS) for test in shuffler.sample(tests, len(tests))]


def all_orders(suite):
    hangs = "timeout" in expected(suite, "snapshot").values()
    return polluted_order(suite) + ([] if hangs else random_orders(suite["tests"], suite["name"]))


def leaks(ran):
    """What --verify-isolation complains of: pages that differ, and outcomes."""
    return [n["text"] for n in ran.json()["notices"] if "bug of Gordian" in n["text"]]


class Snapshot(unittest.TestCase):
    maxDiff = 4000
    longMessage = True

    @classmethod
    def setUpClass(cls):
        cls.suites = suites()
        cls.isolated = cls.for_all(
            lambda s: run_order(gordian.ZOO / name_of(s), all_orders(s)), cls.suites)

    @staticmethod
    def for_all(function, items):
        """[(item, function(item))], two at a time."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return list(zip(items, pool.map(function, items)))

    def check_outcomes(self, suite, ran):
        self.assertIn(ran.code, (0, 1), ran)
        wanted = expected(suite, "snapshot")
        seen = [(r["test"], r["outcome"]) for r in gordian.results(ran.json()) if r["test"] in wanted]
        self.assertEqual(seen, [(test, wanted[test]) for test, _ in seen], ran.err)
        self.assertGreaterEqual(len(seen), len(wanted))


class Undone(Snapshot):
    def test_every_test_comes_out_as_in_a_fresh_process(self):
        for suite, ran in self.isolated:
            with self.subTest(suite=name_of(suite)):
                self.check_outcomes(suite, ran)

    def test_what_cannot_be_undone_is_told(self):
        """The word for each test that cost a fork, and none for all others."""
        for suite, ran in self.isolated:
            if "snapshot" not in suite:
                continue
            words = suite["snapshot"].get("fell_back", {})
            with self.subTest(suite=name_of(suite)):
                for result in gordian.results(ran.json()):
                    wanted = words.get(result["test"], words.get("*"))
                    self.assertIn(result["fell_back"], (wanted, NOT_TAKEN), result["test"])

    def test_snapshots_were_taken(self):
        """Words of refusal everywhere would pass all tests above."""
        without_word = sum(result["fell_back"] is None for _, ran in self.isolated
                           for result in gordian.results(ran.json()))
        told = {result["test"]: result["fell_back"] for suite, ran in self.isolated
                for result in gordian.results(ran.json()) if "snapshot" in suite}
        self.assertGreater(without_word, 1000)
        self.assertGreater(len(set(told.values())), 6)


class LeftOut(Snapshot):
    """The same orders, without one part of the snapshot."""

    @classmethod
    def setUpClass(cls):
        cases = [(suite, part) for suite in suites()
                 for part in suite.get("snapshot", {}).get("undone_by", [])]
        cls.cases = cls.for_all(
            lambda case: run_order(gordian.ZOO / name_of(case[0]), polluted_order(case[0]),
                                   without=case[1]), cases)

    def test_the_part_that_undoes_a_polluter_is_missed(self):
        for (suite, part), ran in self.cases:
            with self.subTest(suite=name_of(suite), without=part):
                self.assertIn(ran.code, (0, 1), ran)
                wanted = expected(suite, "snapshot")
                other = [(r["test"], r["outcome"]) for r in gordian.results(ran.json())
                         if r["outcome"] != wanted[r["test"]]]
                self.assertNotEqual(other, [], ran.err)

    def test_every_part_is_left_out_somewhere(self):
        """`emptied` is missed by `pagemap` only: see snapshot_backends."""
        parts = {part for (_, part), _ in self.cases}
        self.assertEqual(parts, {"descriptors", "mappings", "heap_end", "signals", "directory",
                                 "umask", "timers", "limits", "name", "files", "threads",
                                 "memory", "gate"})

    def test_an_unknown_part_is_refused(self):
        ran = run_order(gordian.ZOO / "guilty/global_int", ["Account.StartsEmpty"],
                        without="umask,hope")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("hope", ran.err)


class Verified(Snapshot):
    """--verify-isolation: all memory compared after each test, and each test in a fresh process."""

    @classmethod
    def setUpClass(cls):
        pass

    def check(self, ran):
        self.assertIn(ran.code, (0, 1), ran)
        self.assertEqual(leaks(ran), [])
        self.assertIn("verified: memory compared after", ran.err)  # else nothing was looked at

    def test_zoo(self):
        def verified(suite):
            order = 2 * suite["tests"] + suite["tests"][::-1]  # enough for a checkpoint to pay
            return run_order(gordian.ZOO / name_of(suite), order, "--verify-isolation")
        steady = [s for s in suites() if "nondeterministic" not in s]
        for suite, ran in self.for_all(verified, steady):
            with self.subTest(suite=name_of(suite)):
                self.check(ran)

    @unittest.skipUnless(real.SOURCES.is_dir(), real.MISSING)
    def test_real_suites(self):
        for name, binary in real.build_all(real.SOME).items():
            with self.subTest(suite=name):
                tests = tests_of(binary)
                ran = run_order(binary, tests + tests[::-1], "--verify-isolation")
                self.check(ran)
                alone = gordian.outcomes(ran.json())
                shuffled = run_order(binary, random_orders(tests, name)).json()
                for result in gordian.results(shuffled):
                    self.assertEqual(result["outcome"], alone[result["test"]], result["test"])


def tests_of(binary):
    """The tests of a binary that run, in default order."""
    ran = gordian.gordian("list", binary, "--json", "-", cwd="/")
    return [t["name"] for t in ran.json()["suites"][0]["tests"] if t["will_run"]]


if __name__ == "__main__":
    gordian.main()
