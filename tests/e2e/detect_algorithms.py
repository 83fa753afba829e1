#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What each algorithm promises, and the same verdict by every way that leads to one."""
import concurrent.futures
import shutil
import sys
import tempfile
import unittest

import gordian


def verdicts():
    return gordian.zoo_suites()


def detect(name, *words):
    """The facts that a search of a zoo suite gives, from a directory of its own."""
    scratch = tempfile.mkdtemp(prefix="gordian_e2e_")
    try:
        ran = gordian.gordian("detect", gordian.ZOO / name, "--timeout", "1s", "--no-db",
                              "--json", "-", *words, cwd=scratch)
        if ran.code not in (0, 1):
            raise AssertionError(str(ran))
        return ran.json()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def detect_all(jobs):
    """[detect(*job)], two at a time."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda job: detect(*job), jobs))


def dependent(facts):
    return sorted(found["test"] for found in facts["dependences"])


def witness_lengths(facts):
    return {found["test"]: len(found["witness"]) for found in facts["dependences"]}


def verdict(facts):
    """All that a verdict says of its tests, without how it was come by."""
    keys = ("test", "role", "by", "witness", "polluters", "state_setters", "cleaners")
    outcomes = ("expected", "alone", "witnessed")
    return sorted(([found[key] for key in keys] + [found[key]["outcome"] for key in outcomes]
                   for found in facts["dependences"]), key=str)


class AwareIsExhaustive(unittest.TestCase):
    """The same dependent tests with witnesses of the same length."""

    maxDiff = 4000

    def check(self, k, names):
        def jobs(algorithm):
            return [(name, "--algorithm", algorithm, "-k", str(k)) for name in names]
        all_facts = detect_all(jobs("exhaustive") + jobs("aware"))
        exhaustive, aware = all_facts[:len(names)], all_facts[len(names):]
        for name, full, pruned in zip(names, exhaustive, aware):
            with self.subTest(suite=name, k=k):
                self.assertEqual(witness_lengths(pruned), witness_lengths(full))
        for what in ("orders", "tests_run"):
            full, pruned = (sum(facts["search"][what] for facts in which)
                            for which in (exhaustive, aware))
            print(f"k = {k}, {len(names)} suites, {what}: exhaustive {full}, aware {pruned}, "
                  f"saved {100 * (1 - pruned / full):.0f} %", file=sys.stderr)

    def guilty(self, nth=1):
        names = [f"{s['folder']}/{s['name']}" for s in verdicts() if s["class"] == "guilty"]
        return gordian.every(nth, names)

    def test_guilty_suites_with_one_test(self):
        self.check(1, self.guilty(4))

    def test_guilty_suites_with_two_tests(self):
        self.check(2, self.guilty(3))

    def test_guilty_suites_with_three_tests(self):
        self.check(3, self.guilty(8))

    def test_clean_suites(self):
        clean = [f"{s['folder']}/{s['name']}" for s in verdicts() if s["class"] == "clean"]
        self.check(2, gordian.every(4, clean[::3]))
        self.check(3, gordian.every(4, clean[1::3]))


class Named(unittest.TestCase):
    """One order, or a few, that must show certain dependences."""

    def finds(self, algorithm, name, tests, *words):
        with self.subTest(algorithm=algorithm, suite=name):
            facts = detect(name, "--algorithm", algorithm, *words)
            self.assertEqual(dependent(facts), sorted(tests))
            self.assertEqual(facts["search"]["algorithm"], algorithm)
            self.assertEqual({found["found_by"] for found in facts["dependences"]} - {algorithm},
                             set())

    def test_isolation_finds_what_the_default_order_hides(self):
        self.finds("isolation", "guilty/brittle_init", ["Table.HoldsSquares"])
        self.finds("isolation", "guilty/victim_after_polluter", ["Login.NobodyAtFirst"])
        self.finds("isolation", "guilty/stale_cache", ["Price.WithTax"])
        self.finds("isolation", "guilty/global_int", [])

    def test_reversal_finds_victims_of_a_later_test(self):
        self.finds("reversal", "guilty/global_int", ["Account.StartsEmpty"])
        self.finds("reversal", "guilty/singleton", ["SettingsTest.AreQuiet"])
        self.finds("reversal", "guilty/crash_victim", ["Slot.HoldsSeven"])
        self.finds("reversal", "guilty/self_dependent", [])

    def test_pairs_finds_victims_of_a_neighbour(self):
        self.finds("pairs", "guilty/global_vector", ["Queue.IsEmptyAtFirst"])
        self.finds("pairs", "guilty/typed_victim",
                   ["Packed/0.HasNoPadding", "Packed/1.HasNoPadding"])
        self.finds("pairs", "guilty/polluter_and_cleaner", ["Printer.StartsInTextMode"])

    def test_screen_finds_victims_of_whatever_runs_first(self):
        self.finds("screen", "guilty/env_var", ["Mode.IsNormalByDefault"])
        self.finds("screen", "guilty/polluter_and_cleaner", ["Printer.StartsInTextMode"])
        self.finds("screen", "guilty/two_polluters", ["Radio.DefaultVolume"], "--rounds", "1")

    def test_self_finds_tests_that_cannot_be_run_twice(self):
        self.finds("self", "guilty/self_dependent", ["Plugins.CanBeInstalledOnce"])
        self.finds("self", "guilty/id_generator", ["Ids.FirstIsOne"])
        self.finds("self", "guilty/global_int", [])

    def test_random_with_one_seed_is_one_search(self):
        words = ("guilty/two_victims", "--algorithm", "random", "--trials", "20", "--seed", "11")
        one, other = detect(*words), detect(*words)
        self.assertEqual(verdict(one), verdict(other))
        self.assertEqual(len(dependent(one)), 2)
        self.assertEqual(one["search"]["orders"], other["search"]["orders"])
        self.assertEqual(one["search"]["seed"], "11")

    def test_random_alone_among_suites_or_free(self):
        """Only an order that leaves a suite and comes back to it shows some dependences."""
        for how in ("suites", "free", "both"):
            facts = detect("guilty/three_tests", "--algorithm", "random", "--trials", "60",
                           "--seed", "5", "--shuffle", how)
            self.assertEqual(dependent(facts), ["Fire.DoesNotBurn"], how)


class SlowReference(unittest.TestCase):
    SUITES = ("global_int", "env_var", "cwd", "file_in_cwd", "crash_victim", "self_dependent",
              "brittle_init", "three_tests", "polluter_and_cleaner", "two_victims", "chain",
              "fd_leaked")

    def test_a_fresh_process_for_every_order_gives_the_same_verdicts(self):
        words = ("--algorithm", "exhaustive", "-k", "3", "--all")
        suites = gordian.every(3, self.SUITES)
        forked = detect_all([(f"guilty/{name}", *words) for name in suites])
        fresh = detect_all([(f"guilty/{name}", *words, "--isolate", "process")
                            for name in suites])
        for name, one, other in zip(suites, forked, fresh):
            with self.subTest(suite=name):
                self.assertEqual(verdict(one), verdict(other))
                self.assertIn(one["search"]["isolation"], ("snapshot", "fork"))
                self.assertEqual(other["search"]["isolation"], "process")


class ExitCode(gordian.Case):
    def test_fail_on(self):
        table = {"guilty/global_int": {"any": 1, "victim": 1, "brittle": 0, "none": 0},
                 "guilty/brittle_init": {"any": 1, "victim": 0, "brittle": 1, "none": 0},
                 "guilty/self_dependent": {"any": 1, "victim": 1, "brittle": 0, "none": 0},
                 "clean/raii_guard": {"any": 0, "victim": 0, "brittle": 0, "none": 0}}
        for name, codes in table.items():
            for what, code in codes.items():
                with self.subTest(suite=name, fail_on=what):
                    ran = self.gordian("detect", self.zoo(name), "--fail-on", what, "--no-db")
                    self.assertEqual(ran.code, code, ran)

    def test_several_binaries_and_one_is_guilty(self):
        ran = self.gordian("detect", self.zoo("clean/raii_guard"), self.zoo("guilty/global_int"),
                           "--no-db", "--json", "-")
        self.assertEqual(ran.code, 1, ran)
        facts = ran.json()
        self.assertEqual(facts["kind"], "detects")
        self.assertEqual([len(one["dependences"]) for one in facts["detects"]], [0, 1])


if __name__ == "__main__":
    gordian.main()
