#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Suites that we did not write (real.py), run in all ways.

What is compared needs no knowledge of them: fork against a fresh process for each test, one process
against the program run by itself, and orders against their own replay.
"""
import json
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

import gordian
import real


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


@unittest.skipUnless(real.SOURCES.is_dir(), real.MISSING)
class RealSuites(gordian.Case):
    @classmethod
    def setUpClass(cls):
        cls.binaries = real.build_all(real.TESTS)

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
