#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What is special about CppUTest: ignored tests, its leak detector and other plugins, groups with
filters of their own, shuffling. The verdicts of its suites are tested with those of others."""
import subprocess

import gordian


class CppUTest(gordian.Case):
    def setUp(self):
        super().setUp()
        if not (gordian.ZOO / "cpputest" / "leaks").exists():
            self.skipTest("the zoo has no CppUTest suites: libcpputest-dev is not installed")

    def test_the_default_order_is_the_frameworks(self):
        binary = self.zoo("cpputest/two_groups")
        own = subprocess.run([binary, "-v"], capture_output=True, text=True, check=False).stdout
        names = [line.split("(")[1].split(")")[0].replace(", ", ".")
                 for line in own.splitlines() if line.startswith("TEST(")]
        self.assertEqual(gordian.order_of(self.run_json("run", binary, "--no-db")), names)

    def test_shuffling_does_not_change_it(self):
        binary = self.zoo("cpputest/two_groups")
        plain = self.run_json("run", binary, "--no-db")
        shuffled = self.run_with(binary, "-s3")
        self.assertEqual(gordian.order_of(shuffled), gordian.order_of(plain))

    def test_ignored_tests_are_disabled(self):
        binary = self.zoo("cpputest/ignored")
        self.assertNotIn("Plan.IsKept", gordian.outcomes(self.run_json("run", binary, "--no-db")))
        for run in (self.run_json("run", binary, "--also-run-disabled", "--no-db"),
                    self.run_with(binary, "-ri")):
            self.assertEqual(gordian.outcomes(run)["Plan.IsKept"], "fail")

    def test_own_filters_decide_what_runs(self):
        binary = self.zoo("cpputest/two_groups")
        run = self.run_with(binary, "-sg", "Lamp")
        self.assertEqual(gordian.order_of(run), ["Lamp.IsDarkWhenIdle", "Lamp.HasAMode"])
        self.assertEqual(set(gordian.outcomes(run).values()), {"pass"})

    def test_a_leak_is_a_failure_without_addresses(self):
        run = self.run_json("run", self.zoo("cpputest/leaks"), "--no-db", code=1)
        failure = next(r for r in gordian.results(run) if r["test"] == "Memory.IsKept")
        self.assertIn("Memory leak(s) found", failure["message"])
        self.assertIn("<0x>", failure["message"])

    def test_a_failure_of_set_up_is_the_tests(self):
        run = self.run_json("run", self.zoo("cpputest/failure_in_setup"), "--no-db", code=1)
        failure = next(r for r in gordian.results(run) if r["test"] == "Broken.NeverRuns")
        self.assertEqual(failure["message"].strip(), "no power")
        self.assertTrue(failure["file"].endswith("failure_in_setup.cc"))

    def test_a_test_may_stand_next_to_itself(self):
        order = ["Sound.Works", "Broken.NeverRuns", "Broken.NeverRuns", "Sound.Works"] * 20
        for isolation in ("none", "fork"):
            with self.subTest(isolation=isolation):
                run = self.run_json("run", self.zoo("cpputest/failure_in_setup"), "--order",
                                    self.order_file(*order), "--isolate", isolation, "--no-db")
                self.assertEqual([r["outcome"] for r in gordian.results(run)],
                                 ["pass", "fail", "fail", "pass"] * 20)

    def test_separate_processes_of_the_framework(self):
        run = self.run_with(self.zoo("cpputest/failure_in_setup"), "-p")
        self.assertEqual(gordian.outcomes(run), {"Sound.Works": "pass", "Broken.NeverRuns": "fail"})

    def test_snapshots_are_kept(self):
        """Nothing of the framework stands against going back."""
        for name in ("teardown_resets", "set_pointer", "leaks", "failure_in_setup"):
            with self.subTest(suite=name):
                kept, tests = self.kept_snapshots(f"cpputest/{name}")
                self.assertEqual(kept, tests)


if __name__ == "__main__":
    gordian.main()
