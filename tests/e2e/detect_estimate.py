#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`detect --estimate` against the searches themselves: by counts, which are exact."""
import os
import unittest

import gordian

SEARCHES = [("isolation", None), ("reversal", None), ("self", None), ("random", None),
            ("pairs", None), ("screen", None), ("exhaustive", 1), ("exhaustive", 2),
            ("exhaustive", 3), ("aware", 1), ("aware", 2), ("aware", 3), ("dataflow", None),
            ("auto", None)]


def words_of(algorithm, k):
    return ("--algorithm", algorithm, *(("-k", k) if k else ()))


class Estimate(gordian.Case):
    def estimate(self, name, *words):
        ran = self.gordian("detect", self.zoo(name), "--estimate", "--json", "-", *words)
        self.assertEqual(ran.code, 0, ran)
        return ran.json()

    def search(self, name, *words):
        ran = self.gordian("detect", self.zoo(name), "--no-db", "--json", "-", *words)
        self.assertIn(ran.code, (0, 1), ran)
        return ran.json()["search"]

    def check_shape(self, search):
        self.assertLessEqual(search["seconds"]["low"], search["seconds"]["expected"])
        self.assertLessEqual(search["seconds"]["expected"], search["seconds"]["high"])
        for what in ("orders", "tests"):
            self.assertEqual(search[what], sum(phase[what] for phase in search["phases"]))

    def test_all_searches_of_a_clean_suite_by_the_number(self):
        for name in ("clean/raii_guard", "clean/relative_ids"):
            facts = self.estimate(name)
            self.assertEqual(facts["kind"], "estimate")
            self.assertEqual([(s["algorithm"], s["k"]) for s in facts["searches"]], SEARCHES)
            for said in facts["searches"]:
                with self.subTest(suite=name, algorithm=said["algorithm"], k=said["k"]):
                    self.check_shape(said)
                    done = self.search(name, *words_of(said["algorithm"], said["k"]))
                    # aware leaves out what its data flow says is needless.
                    agree = self.assertGreaterEqual if said["at_most"] else self.assertEqual
                    agree(said["orders"], done["orders"])
                    agree(said["tests"], done["tests_run"])

    def test_in_a_guilty_suite_confirming_comes_on_top(self):
        for algorithm, k in (("exhaustive", 3), ("pairs", None)):
            words = words_of(algorithm, k)
            facts = self.estimate("guilty/three_tests", *words)
            self.assertEqual(len(facts["searches"]), 1)
            done = self.search("guilty/three_tests", *words)
            self.assertLess(facts["searches"][0]["orders"], done["orders"])

    def test_behind_a_crash_the_default_order_is_run_again(self):
        facts = self.estimate("guilty/crash_victim", "--algorithm", "isolation")
        self.check_shape(facts["searches"][0])

    def test_nothing_is_stored(self):
        self.estimate("clean/raii_guard", "--algorithm", "pairs")
        self.assertEqual(os.listdir(self.dir), [])

    def test_text_for_people(self):
        ran = self.gordian("detect", self.zoo("clean/raii_guard"), "--estimate")
        self.assertEqual(ran.code, 0, ran)
        self.assertEqual(ran.out, "")
        for algorithm, _ in SEARCHES:
            self.assertIn(algorithm, ran.err)

    def test_several_binaries(self):
        ran = self.gordian("detect", self.zoo("clean/raii_guard"), self.zoo("guilty/global_int"),
                           "--estimate", "--algorithm", "reversal", "--json", "-")
        self.assertEqual(ran.code, 0, ran)
        self.assertEqual(ran.json()["kind"], "estimates")
        self.assertEqual(len(ran.json()["estimates"]), 2)

    def test_not_with_an_order_that_failed(self):
        ran = self.gordian("detect", self.zoo("clean/raii_guard"), "--estimate", "--from-seed", "3")
        self.assertEqual(ran.code, 2, ran)

    def test_a_long_search_is_not_begun(self):
        facts = self.estimate("clean/relative_ids", "--algorithm", "random", "--trials",
                              "1000000000000000", "--budget", "60s")
        self.assertEqual(facts["searches"][0]["ends_with"], "budget")


if __name__ == "__main__":
    gordian.main()
