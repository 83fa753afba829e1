#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Random suites with planted dependences: what is found is the truth, all of it and nothing else.

The truth comes from running the model of a suite in this process (tests/planted/model.py). Base
seed and number of suites can be set: GORDIAN_PLANTED_SEED, GORDIAN_PLANTED_SUITES, and
GORDIAN_PLANTED_VARYING for those with tests that depend on no other test but on addresses, process
numbers, chance, time and threads; GORDIAN_PLANTED_LOAD keeps so many processors busy meanwhile. A
failure names the seed of its suite; tests/planted/generate.py SEED prints that suite.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import gordian

sys.path.insert(0, str(gordian.SOURCE / "tests" / "planted"))
from generate import generate, with_varying  # noqa: E402  (found through the line above)

BASE = int(os.environ.get("GORDIAN_PLANTED_SEED", "20000"))
SUITES = int(os.environ.get("GORDIAN_PLANTED_SUITES", "100" if gordian.THOROUGH else "16"))
VARYING = int(os.environ.get("GORDIAN_PLANTED_VARYING", "24" if gordian.THOROUGH else "4"))
LOAD = int(os.environ.get("GORDIAN_PLANTED_LOAD", "0"))
PLANTED = gordian.BUILD / "planted" / "planted"
SEARCHES = {
    "exhaustive": ("--algorithm", "exhaustive", "-k", "3"),
    "aware": ("--algorithm", "aware", "-k", "3"),
    "auto": ("--algorithm", "auto", "--budget", "60s", "--seed", "1"),
}


def outcome_of(facts, model_file):
    """A result of Gordian in the words of the model."""
    word = facts["outcome"]
    if word == "fail":
        return (word, facts["line"]) if facts["file"] == str(model_file) else (word, facts["file"])
    return (word,)


def setUpModule():
    for _ in range(LOAD):
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        unittest.addModuleCleanup(busy.wait)
        unittest.addModuleCleanup(busy.kill)


class Searched:
    """One suite, and what each search says about it."""

    def __init__(self, seed, model=None, searches=tuple(SEARCHES)):
        self.seed, self.model = seed, model or generate(seed)
        scratch = Path(tempfile.mkdtemp(prefix="gordian_e2e_"))
        self.file = scratch / "model"
        try:
            self.file.write_text(self.model.text())
            self.ran = {name: gordian.gordian("detect", PLANTED, *words, "--all", "--no-db", "-j1",
                                              "--json", "-", "--", f"--model={self.file}",
                                              cwd=scratch)
                        for name, words in SEARCHES.items() if name in searches}
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def found(self, search):
        """[(test, dependence)]; the same role and result of a test reported twice is an error."""
        dependences = self.ran[search].json()["dependences"]
        keys = [(d["test"], d["role"], outcome_of(d["witnessed"], self.file)) for d in dependences]
        if len(set(keys)) != len(keys):
            raise AssertionError(f"reported twice: {keys}")
        return [(d["test"], d) for d in dependences]

    def dependent(self, search):
        return {test for test, _ in self.found(search)}


class Planted(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        if not PLANTED.exists():
            raise AssertionError(f"{PLANTED} is not built (target planted)")
        print(f"{SUITES} suites from seed {BASE}", file=sys.stderr)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.searched = list(pool.map(Searched, range(BASE, BASE + SUITES)))

    def for_each(self, check, searches=tuple(SEARCHES)):
        for suite in self.searched:
            for search in searches:
                with self.subTest(seed=suite.seed, search=search):
                    check(suite, search)

    def test_the_suites_are_worth_searching(self):
        """Dependent tests of each kind, and suites without any, are planted often enough."""
        truths = [(s.model.truth(2), s.model.truth(3)) for s in self.searched]
        facts = [f for _, truth in truths for f in truth.values()]
        counts = {
            "clean": sum(not three for _, three in truths),
            "only with three": sum(len(three) - len(two) for two, three in truths),
            "victims": sum(f["role"] == "victim" for f in facts),
            "brittle": sum(f["role"] == "brittle" for f in facts),
            "self": sum(len(s.model.self_dependent()) for s in self.searched)}
        print(counts, file=sys.stderr)
        for kind, count in counts.items():
            self.assertGreaterEqual(count, SUITES // 20, kind)

    def test_exit_code_tells_whether_something_was_found(self):
        def check(suite, search):
            ran = suite.ran[search]
            self.assertIn(ran.code, (0, 1), ran)
            self.assertEqual(ran.code == 1, bool(suite.found(search)), ran)
        self.for_each(check)

    def test_bounded_searches_find_exactly_the_dependent_tests(self):
        def check(suite, search):
            self.assertEqual(sorted(suite.dependent(search)), sorted(suite.model.truth(3)))
        self.for_each(check, ("exhaustive", "aware"))

    def test_bounded_searches_find_the_shortest_witness(self):
        def check(suite, search):
            for test, found in suite.found(search):
                if found["passes_after"] or found["role"] == "self_dependent":
                    continue
                shortest = suite.model.shortest(test, suite.model.after(found["by"], test))
                self.assertEqual(len(found["witness"]), shortest, found["by"])
        self.for_each(check, ("exhaustive", "aware"))

    def test_auto_finds_every_dependence_on_one_test(self):
        def check(suite, search):
            wanted = set(suite.model.truth(2)) | suite.model.self_dependent()
            self.assertLessEqual(wanted, suite.dependent(search))
        self.for_each(check, ("auto",))

    def test_a_claim_of_completeness_is_true(self):
        def check(suite, search):
            facts = suite.ran[search].json()["search"]
            self.assertLessEqual(set(suite.model.truth(min(3, facts["complete_k"]))),
                                 suite.dependent(search))
            if search != "aware":  # which proves pairs needless instead of running them
                self.assertGreaterEqual(facts["complete_k"], 2)
                self.assertEqual(facts["pairs_covered"], facts["pairs_total"])
        self.for_each(check)

    def test_every_witness_is_true(self):
        """No false report, ever: the model shows what the report says, order by order."""
        def check(suite, search):
            model, expected = suite.model, suite.model.expected()
            for test, found in suite.found(search):
                self.assertEqual(found["witness"], [*found["by"], test])
                alone = outcome_of(found["alone"], suite.file)
                witnessed = outcome_of(found["witnessed"], suite.file)
                self.assertEqual(outcome_of(found["expected"], suite.file), expected[test], test)
                self.assertEqual(alone, model.alone(test), test)
                self.assertEqual(witnessed, model.after(found["by"], test), found["by"])
                self.assertNotEqual(alone, witnessed, test)
                self.assertEqual(found["splits_suite"], model.splits_suites(found["witness"]), test)
        self.for_each(check)

    def test_roles(self):
        def check(suite, search):
            for test, found in suite.found(search):
                alone = suite.model.alone(test)
                witnessed = suite.model.after(found["by"], test)
                helped = alone != ("pass",) and witnessed == ("pass",)
                role = ("self_dependent" if found["by"] == [test] else
                        "brittle" if helped else "victim")
                self.assertEqual(found["role"], role, test)
        self.for_each(check)

    def test_no_predecessor_can_be_left_out(self):
        def check(suite, search):
            for test, found in suite.found(search):
                by = found["by"]
                witnessed = suite.model.after(by, test)
                for i in range(len(by)):
                    if by[i] in found["passes_after"]:
                        continue
                    self.assertNotEqual(suite.model.after(by[:i] + by[i + 1:], test), witnessed,
                                        f"{by[i]} is needless before {test}")
        self.for_each(check)

    def test_lists_of_polluters_and_cleaners_are_complete(self):
        def check(suite, search):
            for test, found in suite.found(search):
                witnessed = suite.model.after(found["by"], test)
                others = set(found["polluters"] + found["state_setters"]) - {test}
                self.assertTrue(found["polluters_complete"], test)
                needs = found["passes_after"]
                good = suite.model.after(needs, test)
                self.assertEqual(others,
                                 set() if needs else suite.model.singles(test, witnessed), test)
                if found["role"] == "victim":
                    self.assertTrue(found["cleaners_complete"], test)
                    self.assertEqual(set(found["cleaners"]),
                                     suite.model.cleaners(found["by"], test, good), test)
                if needs:
                    self.assertEqual(good, ("pass",), test)
        self.for_each(check)

    def test_nothing_is_called_nondeterministic_or_left_out(self):
        def check(suite, search):
            facts = suite.ran[search].json()
            self.assertEqual(facts["nondeterministic"], [])
            self.assertEqual(facts["left_out"], [])
        self.for_each(check)


class Varying(unittest.TestCase):
    """Tests that hang on addresses, numbers, chance, time and threads, beside planted dependences."""

    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.searched = list(pool.map(cls.search, range(BASE, BASE + VARYING)))

    @staticmethod
    def search(seed):
        return Searched(seed, with_varying(seed), ("auto",))

    def test_what_hangs_on_the_process_is_never_called_dependent(self):
        for suite in self.searched:
            with self.subTest(seed=suite.seed):
                found = {test for test in suite.dependent("auto") if test.startswith("Varying.")}
                self.assertEqual(found, set(), suite.ran["auto"])

    def test_the_planted_dependences_are_found_all_the_same(self):
        for suite in self.searched:
            with self.subTest(seed=suite.seed):
                self.assertLessEqual(set(suite.model.truth(2)), suite.dependent("auto"))
                wavering = suite.ran["auto"].json()["nondeterministic"]
                self.assertEqual([t["test"] for t in wavering
                                  if not t["test"].startswith("Varying.")], [])


if __name__ == "__main__":
    gordian.main()
