#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Shards keep to known dependences: together they run every test once, and each test does what it
does in the default order, where a split that knows nothing fails.

Suites of the zoo are split and run; generated ones (tests/planted) are split, and the orders run in
their model. How many of those: GORDIAN_SHARD_SUITES, from the seed GORDIAN_SHARD_SEED.
"""
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import gordian
import real

sys.path.insert(0, str(gordian.SOURCE / "tests" / "planted"))
from generate import generate  # noqa: E402  (found through the line above)

PLANTED = gordian.BUILD / "planted" / "planted"
BASE = int(os.environ.get("GORDIAN_SHARD_SEED", "51000"))
SUITES = int(os.environ.get("GORDIAN_SHARD_SUITES", "24"))
# Every role, and suites in which several dependences meet. No test of them ends its process in the
# default order.
ZOO = ("brittle_init", "brittle_reversed", "chain", "data_source", "joint_initialisation",
       "one_display", "option_builder", "polluter_and_cleaner", "self_dependent", "three_tests",
       "three_tests_ordered", "two_polluters", "two_victims", "victim_after_polluter")


def result_of(result):
    """What makes two results the same."""
    return result["outcome"], result["file"], result["line"], result["signal"]


def runs_of(document):
    return document["runs"] if document["kind"] == "runs" else [document]


def failing_shards(binary, count, cwd):
    """The shards in which GoogleTest's own split fails."""
    def fails(index):
        env = gordian.clean_environment(GTEST_TOTAL_SHARDS=str(count), GTEST_SHARD_INDEX=str(index))
        return subprocess.run([binary], cwd=cwd, env=env, capture_output=True,
                              check=False).returncode != 0
    return [index for index in range(count) if fails(index)]


class Shards(gordian.Case):
    def searched(self, binary):
        found = self.gordian("detect", binary, "--all", "--json", "-", patience=300)
        self.assertIn(found.code, (0, 1), found)
        return binary

    def expected(self, binary):
        run = self.run_json("run", binary, "--isolate", "none", "--no-db")
        return {r["test"]: result_of(r) for r in gordian.results(run)}

    def run_shards(self, binary, count, *options):
        """{test: result} of all shards together; a test that counts twice is an error."""
        seen = {}
        for index in range(1, count + 1):
            ran = self.gordian("run", binary, "--shard", f"{index}/{count}", *options, "--json",
                               "-")
            for run in runs_of(ran.json()):
                for result in gordian.results(run):
                    self.assertNotIn(result["test"], seen, ran)
                    seen[result["test"]] = result_of(result)
        return seen


class Zoo(Shards):
    def searched(self, name):
        return super().searched(self.zoo(f"guilty/{name}"))

    def test_every_shard_gives_the_expected_results(self):
        naive = 0
        for name in ZOO:
            binary = self.searched(name)
            expected = self.expected(binary)
            good = {kind for kind, *_ in expected.values()} <= {"pass", "skip"}
            for count in (1, 2, 3):
                with self.subTest(suite=name, count=count):
                    self.assertEqual(self.run_shards(binary, count, "--isolate", "none"), expected)
                naive += good and bool(failing_shards(binary, count, self.dir))
        self.assertGreaterEqual(naive, 3, "round robin should fail in some of these suites")

    def test_isolated_shards_cover_every_test_once(self):
        binary = self.searched("two_victims")
        whole = self.run_json("run", binary, "--no-db")
        expected = {r["test"]: result_of(r) for r in gordian.results(whole)}
        for count in (2, 5):
            self.assertEqual(self.run_shards(binary, count), expected)

    def test_more_shards_than_tests(self):
        binary = self.searched("brittle_init")
        ran = self.gordian("run", binary, "--shard", "50/50", "--json", "-")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("no tests", ran.err)
        self.assertEqual(ran.json()["runs"], [])

    def test_running_a_shard_does_not_move_the_others(self):
        binary = self.searched("two_victims")
        self.gordian("run", binary)
        split = [self.gordian("shard", binary, "--count", "3", "--json", "-").json()["split"]]
        for index in (1, 2, 3):
            ran = self.gordian("run", binary, "--shard", f"{index}/3", "--isolate", "none")
            split += re.findall(r"of split (\w+)", ran.err)
        self.assertEqual(len(split), 4)
        self.assertEqual(len(set(split)), 1, split)


@unittest.skipUnless(real.SOURCES.exists(), real.MISSING)
class Real(Shards):
    """A suite that we did not write. It also has tear-downs of suites that count their tests, which
    no split can please: only the tests that are known to depend on others are compared."""

    def failing_by_round_robin(self, binary, count):
        said = ""
        for index in range(count):
            env = gordian.clean_environment(GTEST_TOTAL_SHARDS=str(count),
                                            GTEST_SHARD_INDEX=str(index))
            said += subprocess.run([binary], cwd=self.dir, env=env, capture_output=True, text=True,
                                   check=False).stdout
        return set(re.findall(r"^\[  FAILED  \] ([^\s,]+)", said, re.M))

    def test_dependent_tests_give_the_expected_results(self):
        binary = real.build_all(["param_test"])["param_test"]
        self.searched(binary)
        known = self.gordian("report", "--json", "-").json()["suites"][0]["dependences"]
        dependent = {dependence["test"] for dependence in known}
        self.assertGreaterEqual(len(dependent), 4)
        expected = {test: result for test, result in self.expected(binary).items()
                    if test in dependent}
        for count in (2, 3, 5):
            with self.subTest(count=count):
                seen = self.run_shards(binary, count, "--isolate", "none")
                self.assertEqual({test: seen[test] for test in dependent}, expected)
                self.assertTrue(self.failing_by_round_robin(binary, count) & dependent)


class Directory(Shards):
    """The programs of a build directory make one split, and each shard has a part of each."""

    NAMES = ("brittle_init", "polluter_and_cleaner", "two_victims")

    def setUp(self):
        super().setUp()
        self.binaries = [self.zoo(f"guilty/{name}") for name in self.NAMES]
        self.build = self.dir / "build"
        self.build.mkdir()
        lines = [f"add_test({name} [==[{binary}]==])"
                 for name, binary in zip(self.NAMES, self.binaries)]
        (self.build / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")

    def test_all_shards_of_all_programs_give_the_expected_results(self):
        self.searched(self.build)
        expected = {}
        for binary in self.binaries:
            expected.update(self.expected(binary))
        for count in (2, 3):
            self.assertEqual(self.run_shards(self.build, count, "--isolate", "none"), expected)
        failing = [index for binary in self.binaries
                   for index in failing_shards(binary, 2, self.dir)]
        self.assertTrue(failing, "round robin should fail in one of them")

    def test_one_split_of_several_targets(self):
        self.searched(self.build)
        made = self.gordian("shard", self.build, "--count", "2", "-o", "out", "--json", "-")
        self.assertEqual(made.code, 0, made)
        targets = made.json()["targets"]
        self.assertEqual(len(targets), len(self.NAMES))
        for target in targets:
            self.assertEqual(len(target["shards"]), 2)
        files = {path.name for path in (self.dir / "out").iterdir()}
        self.assertTrue(all(any(file.startswith(name) for file in files) for name in self.NAMES))
        ran = self.gordian("run", self.build, "--isolate", "none", "--shard", "1/2")
        self.assertIn(made.json()["split"], ran.err)


class Command(gordian.Case):
    def test_order_files_are_the_shards(self):
        binary = self.zoo("guilty/polluter_and_cleaner")
        self.gordian("detect", binary, "--all")
        made = self.gordian("shard", binary, "--count", "2", "-o", "out", "--json", "-")
        self.assertEqual(made.code, 0, made)
        tests = []
        for shard in made.json()["targets"][0]["shards"]:
            for process in shard["processes"]:
                run = self.run_json("run", binary, "--isolate", "none", "--no-db", "--order",
                                    process["file"], code=0)
                self.assertEqual(gordian.order_of(run), process["order"])
                tests += [t for t in process["order"] if t not in process["extra"]]
        self.assertEqual(sorted(tests),
                         sorted(gordian.order_of(self.run_json("run", binary, "--no-db"))))

    def test_older_order_files_are_removed_and_others_are_not(self):
        binary = self.zoo("clean/parametrised")
        (self.dir / "out").mkdir()
        stale = self.dir / "out" / "parametrised-1-of-2-p9.order"
        stale.write_text("# Written by gordian shard: an earlier one\n")
        foreign = self.dir / "out" / "parametrised-1-of-2-mine.order"
        foreign.write_text("# mine\n")
        self.assertEqual(self.gordian("shard", binary, "--count", "2", "-o", "out").code, 0)
        self.assertFalse(stale.exists())
        self.assertTrue(foreign.exists())
        self.assertTrue((self.dir / "out" / "parametrised-1-of-2.order").exists())

    def test_times_balance_the_shards(self):
        """One test takes longer than all others together."""
        binary = self.zoo("clean/parametrised")
        before = self.gordian("shard", binary, "--count", "2", "--json", "-")
        self.assertEqual(before.json()["targets"][0]["by"], "count")
        self.assertIn("no times are recorded", before.err)
        self.assertIn(f"gordian run {binary}", before.err)
        self.gordian("run", binary)
        target = self.gordian("shard", binary, "--count", "2", "--json", "-").json()["targets"][0]
        self.assertEqual(target["by"], "time")
        self.assertEqual(target["timed_by"], "R1")
        by_count = self.gordian("shard", binary, "--count", "2", "--by", "count", "--json", "-")
        self.assertEqual(by_count.json()["targets"][0]["by"], "count")

    def test_a_binary_that_was_never_searched_is_split_with_a_warning(self):
        ran = self.gordian("shard", self.zoo("guilty/brittle_init"), "--count", "2")
        self.assertEqual(ran.code, 0, ran)
        self.assertRegex(ran.err, r"Warning +.*never searched.*gordian detect ")
        self.assertFalse((self.dir / ".gordian").exists())

    def test_dependences_of_another_build_are_refused(self):
        binary = self.zoo_copy("guilty/brittle_init")
        self.gordian("detect", binary)
        shutil.copy2(self.zoo("guilty/two_victims"), binary)
        for words in (("shard", binary, "--count", "2"), ("run", binary, "--shard", "1/2"),
                      ("export", binary, "--bazel", "-")):
            ran = self.gordian(*words)
            self.assertEqual(ran.code, 3, ran)
            self.assertRegex(ran.err, r"was rebuilt since D1.*\n +hint: gordian detect ")

    def test_a_filter_brings_what_is_needed(self):
        binary = self.zoo("guilty/brittle_init")
        found = self.gordian("detect", binary, "--json", "-").json()["dependences"]
        brittle, setter = found[0]["test"], found[0]["witness"][0]
        run = self.run_json("run", binary, "--isolate", "none", "--shard", "1/1", "--filter",
                            brittle, code=0)
        self.assertEqual(gordian.order_of(run), [brittle])
        self.assertTrue(any(setter in n["text"] for n in run["notices"]), run["notices"])

    def test_wrong_words(self):
        binary = self.zoo("clean/parametrised")
        for words, said in (
                (("run", binary, "--shard", "3/2"), "'3/2' is no shard"),
                (("run", binary, "--shard", "1/2", "--order", "reverse"), "--order"),
                (("shard", binary), "--count"),
                (("shard", binary, "--count", "0"), "--count"),
                (("shard", binary, "--count", "2", "-o", "/dev/null/x"), "cannot be made"),
                (("shard", binary, "--count", "2", "--filter", "Nobody"), "selects none"),
                (("export", binary), "nothing to write")):
            ran = self.gordian(*words)
            self.assertEqual(ran.code, 2, ran)
            self.assertIn(said, ran.err)


class Planted(unittest.TestCase):
    """Generated suites: the orders of shards run in the model."""

    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.splits = list(pool.map(cls.split, range(BASE, BASE + SUITES)))

    @staticmethod
    def split(seed):
        """The model of a suite, and the processes of its shards by their count."""
        model = generate(seed)
        scratch = Path(tempfile.mkdtemp(prefix="gordian_e2e_"))
        try:
            (scratch / "model").write_text(model.text())
            words = ("--", f"--model={scratch / 'model'}")
            gordian.gordian("detect", PLANTED, "--algorithm", "exhaustive", "-k", "3", "--all",
                            "-j1", *words, cwd=scratch, patience=600)
            return seed, model, {
                count: gordian.gordian("shard", PLANTED, "--count", count, "--json", "-", *words,
                                       cwd=scratch).json()["targets"][0] for count in (2, 3)}
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def test_only_expected_results(self):
        naive = dependent = 0
        for seed, model, splits in self.splits:
            expected = model.expected()
            if any(o[0] in ("crash", "exit") for o in expected.values()):
                continue  # what comes behind them is another subject
            dependent += bool(model.truth(3))
            for count, target in splits.items():
                with self.subTest(seed=seed, count=count):
                    self.assertEqual(self.surprises(model, expected, target), [])
                    counted = [t for shard in target["shards"] for process in shard["processes"]
                               for t in process["order"] if t not in process["extra"]]
                    self.assertEqual(sorted(counted), sorted(model.tests))
                naive += any(outcome != expected[test]
                             for first in range(count)
                             for test, outcome in self.run_every(model, first, count))
        print(f"round robin fails in {naive} of {2 * dependent} splits of suites with dependences",
              file=sys.stderr)
        self.assertGreater(naive, SUITES // 8)

    @staticmethod
    def run_every(model, first, count):
        order = model.tests[first::count]
        return zip(order, model.run(order))

    @staticmethod
    def surprises(model, expected, target):
        impossible = {one["test"] for one in target["impossible"]}
        found = []
        for process in itertools.chain(*(s["processes"] for s in target["shards"])):
            for test, outcome in zip(process["order"], model.run(process["order"])):
                if test not in process["extra"] and test not in impossible and \
                        outcome != expected[test]:
                    found.append((test, process["order"]))
        return found


if __name__ == "__main__":
    gordian.main()
