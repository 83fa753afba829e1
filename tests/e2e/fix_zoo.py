#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Repairs of the zoo, as zoo/repairs.json says: one suite for each framework and one that cannot be
repaired, of a thorough test for each kind of state and strategy, too (strategies by themselves:
fix_ladder.py). Patches are verified, compile by themselves without a warning, and are the same each
time; what cannot be repaired says why. The whole zoo is what bench/fix runs."""
import concurrent.futures
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import gordian

sys.path.insert(0, str(gordian.SOURCE / "zoo"))
import as_project  # noqa: E402

CHECKS = ["checks kept", "build", "tests kept", "witness", "alone", "default order",
          "random orders"]
STRICT = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
TWICE = 6 if gordian.THOROUGH else 2  # suites that are repaired a second time
# Many attempts, or tests that wait: for bench/fix.
SLOW = {"leaked_thread", "heap_end", "hang_victim", "posix_timer", "rlimit_hard", "child_left"}


def telling(expected, suites):
    """The first suite for each framework, and for what cannot be repaired; of a thorough test for
    each kind of state and what is made of it, too."""
    chosen, seen = [], set()
    for suite in [suite for suite in suites if suite["name"] not in SLOW]:
        wanted = expected[as_project.target_of(suite)]
        keys = {as_project.folder_of(suite)}
        keys |= {"impossible" for entry in wanted if "strategy" not in entry}
        if gordian.THOROUGH:
            keys |= {entry.get("strategy", "impossible") for entry in wanted}
            keys |= {(entry["kind"], entry.get("strategy", "impossible")) for entry in wanted}
            keys |= {(as_project.folder_of(suite), entry["role"]) for entry in wanted}
        if not keys <= seen:
            chosen.append(suite)
            seen |= keys
    return chosen


def tree(directory):
    return {str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(directory.rglob("*")) if path.is_file()}


@unittest.skipUnless((gordian.BIN.parent / "gordian-facts").exists(), "gordian-facts is not built")
class Repairs(unittest.TestCase):
    maxDiff = 3000

    @classmethod
    def setUpClass(cls):
        cls.directory = Path(tempfile.mkdtemp(prefix="gordian_fix_zoo_")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)
        cls.expected = as_project.expected_repairs()
        here = {(s["folder"], s["name"]) for s in gordian.zoo_suites("guilty")}
        cls.suites = telling(cls.expected, [s for s in as_project.guilty_suites()
                                            if (s["folder"], s["name"]) in here])
        cls.project = cls.directory / "project"
        cls.project.mkdir()
        as_project.write(cls.project, cls.suites)
        cls.binaries = as_project.build(cls.project, cls.suites)
        cls.before = tree(cls.project)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            cls.fixed = dict(zip(cls.binaries, pool.map(cls.fix_one, cls.binaries)))

    @classmethod
    def fix_one(cls, name, options=("-j1",)):
        """What gordian makes of one suite, in a directory of its own."""
        scratch = cls.directory / name
        env = gordian.clean_environment()
        if not scratch.exists():
            scratch.mkdir()
            as_project.find(gordian.BIN, cls.binaries[name], scratch, env)
        return as_project.fix(gordian.BIN, scratch, *options, env=env)

    def test_every_dependence_of_the_zoo_is_listed(self):
        for suite in as_project.guilty_suites():
            with self.subTest(suite=suite["name"]):
                listed = [(entry["test"], entry["role"])
                          for entry in self.expected[as_project.target_of(suite)]]
                self.assertEqual(sorted(listed), sorted((d["test"], d["role"])
                                                        for d in suite["dependences"]))

    def test_each_is_repaired_as_expected(self):
        for name, fixed in self.fixed.items():
            with self.subTest(suite=name):
                self.assertEqual(as_project.as_expected(fixed), as_project.bare(self.expected[name]))

    def test_what_is_accepted_passed_every_check(self):
        for name, fixed in self.fixed.items():
            for repair in fixed["repairs"]:
                with self.subTest(suite=name, dependence=repair["id"]):
                    if repair["accepted"] is None:
                        self.assertTrue(repair["gone_by"] or repair["why_not"])
                        continue
                    attempt = repair["attempts"][repair["accepted"]]
                    checks = {check["name"]: check["passed"] for check in attempt["checks"]}
                    self.assertEqual(attempt["verdict"], "verified", attempt["why"])
                    self.assertLessEqual(set(CHECKS), set(checks))
                    self.assertNotIn(False, checks.values())

    def test_nothing_is_left_when_all_is_repaired(self):
        for name, fixed in self.fixed.items():
            with self.subTest(suite=name):
                if all(repair["repaired"] for repair in fixed["repairs"]):
                    self.assertEqual(fixed["failing_after"], 0)
                if not any(repair["accepted"] is not None for repair in fixed["repairs"]):
                    self.assertIsNone(fixed["diff"])

    def complaints(self, suite):
        """What git and the compiler say of the patch, without the headers that the build shares;
        empty: nothing."""
        diff = self.fixed[as_project.target_of(suite)]["diff"]
        if diff is None:
            return ""
        with tempfile.TemporaryDirectory(dir=self.directory) as place:
            shutil.copytree(self.project, Path(place) / "p", ignore=lambda *_: {"build"})
            for argv in (["git", "apply", "--whitespace=error", "-"],
                         ["g++", *STRICT, f"{suite['folder']}/{suite['name']}.cc"]):
                done = subprocess.run(argv, cwd=Path(place) / "p", input=diff, text=True,
                                      capture_output=True, check=False)
                if done.returncode != 0:
                    return done.stderr[:3000] + diff
        return ""

    def test_patches_apply_and_compile_without_a_warning(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for suite, said in zip(self.suites, pool.map(self.complaints, self.suites)):
                with self.subTest(suite=suite["name"]):
                    self.assertEqual(said, "")

    def test_patches_are_the_same_each_time(self):
        names = sorted(name for name, fixed in self.fixed.items() if fixed["diff"])[:TWICE]
        self.assertEqual(len(names), TWICE)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            again = pool.map(lambda name: self.fix_one(name, ("--again", "-j1")), names)
            for name, fixed in zip(names, again):
                with self.subTest(suite=name):
                    self.assertEqual(fixed["diff"], self.fixed[name]["diff"])

    def test_zz_the_project_is_as_before(self):
        self.assertEqual(tree(self.project), self.before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
