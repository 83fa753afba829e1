#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The dependent tests of suites that we did not write: real_dependents.json says which.

Every witness is run again in a fresh process, whole and with one predecessor less, so that neither
forks nor the search itself have a say in whether it holds and is minimal.
"""
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import gordian
import real

TABLE = json.loads((Path(__file__).parent / "real_dependents.json").read_text())["suites"]


def in_scratch(*words):
    """The JSON of a gordian started in a directory of its own."""
    scratch = tempfile.mkdtemp(prefix="gordian_e2e_")
    try:
        ran = gordian.gordian(*words, "--no-db", "--json", "-", cwd=scratch)
        if ran.code not in (0, 1):
            raise AssertionError(str(ran))
        return ran.json()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def same_failure(result, outcome):
    """As Gordian compares them: the kind, and for a failure where it is."""
    keys = ("outcome", "file", "line") if outcome["outcome"] == "fail" else ("outcome",)
    return all(result[key] == outcome[key] for key in keys)


@unittest.skipUnless(real.SOURCES.is_dir(), real.MISSING)
class DetectReal(gordian.Case):
    @classmethod
    def setUpClass(cls):
        cls.binaries = real.build_all([suite["name"] for suite in TABLE])
        cls.found = {}
        for suite in TABLE:
            for words in suite["searches"]:
                facts = in_scratch("detect", cls.binaries[suite["name"]], "--seed", "1",
                                   "--algorithm", *words)
                cls.found[suite["name"], words[0]] = facts

    def for_each_search(self, check):
        for suite in TABLE:
            for words in suite["searches"]:
                with self.subTest(suite=suite["name"], algorithm=words[0]):
                    check(suite, self.found[suite["name"], words[0]])

    def last_result(self, binary, order):
        """What the last test of an order does, in one fresh process."""
        file = self.dir / "order.txt"
        file.write_text("\n".join(order) + "\n")
        run = self.run_json("run", binary, "--isolate", "none", "--no-db", "--order", file)
        self.assertEqual(gordian.order_of(run), order)
        return gordian.results(run)[-1]

    def test_exactly_the_known_dependents_with_their_roles(self):
        def check(suite, facts):
            self.assertEqual({d["test"]: d["role"] for d in facts["dependences"]},
                             {test: known["role"] for test, known in suite["dependents"].items()})
            self.assertEqual(facts["nondeterministic"], [])
            self.assertEqual(facts["left_out"], [])
        self.for_each_search(check)

    def test_the_only_polluter_is_named(self):
        def check(suite, facts):
            known = suite["dependents"]
            for found in facts["dependences"]:
                if "by" not in known[found["test"]]:
                    continue
                self.assertEqual(found["by"], known[found["test"]]["by"])
                self.assertEqual(found["polluters"], found["by"])
                self.assertTrue(found["polluters_complete"])
        self.for_each_search(check)

    def test_witnesses_hold_in_fresh_processes(self):
        def check(suite, facts):
            binary = self.binaries[suite["name"]]
            for found in facts["dependences"]:
                result = self.last_result(binary, found["witness"])
                self.assertTrue(same_failure(result, found["witnessed"]), (found, result))
                result = self.last_result(binary, found["observed_order"])
                self.assertTrue(same_failure(result, found["observed"]), (found, result))
                self.assertFalse(same_failure(result, found["expected"]), (found, result))
        self.for_each_search(check)

    def test_no_predecessor_can_be_left_out(self):
        def check(suite, facts):
            for found in facts["dependences"]:
                for leave_out in range(len(found["by"])):
                    order = [*found["by"][:leave_out], *found["by"][leave_out + 1:], found["test"]]
                    result = self.last_result(self.binaries[suite["name"]], order)
                    self.assertFalse(same_failure(result, found["witnessed"]), (order, result))
        self.for_each_search(check)

    def test_bounded_searches_are_complete_and_agree(self):
        for suite in TABLE:
            if suite["searches"][0][0] != "exhaustive":
                continue
            with self.subTest(suite=suite["name"]):
                full, pruned = (self.found[suite["name"], how] for how in ("exhaustive", "aware"))
                self.assertEqual(full["search"]["complete_k"], 2)
                # What was left out by data flow is not proved needless, and not called so.
                self.assertEqual(pruned["search"]["complete_k"], 1)
                what = [{d["test"]: (d["role"], d["witnessed"], len(d["witness"]))
                         for d in facts["dependences"]} for facts in (full, pruned)]
                self.assertEqual(what[0], what[1])
                self.assertLessEqual(pruned["search"]["orders"], full["search"]["orders"])


if __name__ == "__main__":
    gordian.main()
