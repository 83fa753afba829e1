#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What is special about doctest: decorators, subcases, its own filters and orders, names with any
character, and its own signal handler. The verdicts of its suites are tested with those of others."""
import subprocess

import gordian

BY_LINE = ["may fail and does", "should fail and does", "fails exactly twice",
           "should fail and does not", "fails once of two times", "warns only", "throws", "says so"]


class Doctest(gordian.Case):
    def setUp(self):
        super().setUp()
        if not (gordian.ZOO / "doctest" / "decorators").exists():
            self.skipTest("the zoo has no doctest suites: doctest-dev is not installed")
        self.decorators = self.zoo("doctest/decorators")

    def test_decorators_count_as_the_framework_counts(self):
        """Its own summary says how many failed."""
        run = self.run_json("run", self.decorators, "--no-db", code=1)
        failed = [test for test, word in gordian.outcomes(run).items() if word == "fail"]
        own = subprocess.run([self.decorators, "--no-colors"], capture_output=True, text=True,
                             check=False).stdout
        self.assertIn(f"{len(failed)} failed |", own)
        self.assertIn("1 skipped", own)

    def test_first_failure_is_told_with_its_place(self):
        results = {r["test"]: r for r in
                   gordian.results(self.run_json("run", self.decorators, "--no-db"))}
        source = (gordian.SOURCE / "zoo" / "doctest" / "decorators.cc").read_text().splitlines()
        for test, words in (("says so", "by its own word"), ("throws", "out of cheese"),
                            ("should fail and does not", "should_fail"),
                            ("fails once of two times", "CHECK( 1 == 2 ) is not correct")):
            with self.subTest(test=test):
                self.assertIn(words, results[test]["message"])
                self.assertTrue(results[test]["file"].endswith("decorators.cc"))
                self.assertIn(f'"{test}"', "".join(source[results[test]["line"] - 3:
                                                          results[test]["line"]]))

    def test_a_skip_decorator_disables(self):
        plain = self.run_json("run", self.decorators, "--no-db")
        self.assertNotIn("is left out", gordian.outcomes(plain))
        also = self.run_json("run", self.decorators, "--also-run-disabled", "--no-db")
        self.assertEqual(gordian.outcomes(also)["is left out"], "fail")
        own = self.run_with(self.decorators, "--no-skip")
        self.assertEqual(gordian.outcomes(own)["is left out"], "fail")

    def test_own_filters_decide_what_runs(self):
        for words, wanted in ((["--test-case=*fail*and*"],
                               [BY_LINE[0], BY_LINE[1], BY_LINE[3]]),
                              (["--test-case-exclude=*fail*"], ["warns only", "throws", "says so"]),
                              (["--first=2", "--last=3"], BY_LINE[1:3])):
            with self.subTest(words=words):
                run = self.run_with(self.decorators, *words)
                self.assertEqual(gordian.order_of(run), wanted)
                self.assertNotIn("not_run", gordian.outcomes(run).values())

    def test_own_random_order_is_not_the_default(self):
        run = self.run_with(self.decorators, "--order-by=rand", "--rand-seed=7")
        self.assertEqual(gordian.order_of(run), BY_LINE)

    def test_abort_after_is_for_each_test(self):
        run = self.run_with(self.decorators, "--abort-after=1", options=("--isolate", "none"))
        self.assertNotIn("not_run", gordian.outcomes(run).values())

    def test_an_order_much_longer_than_the_suite(self):
        """The framework's own loop has an end; results do not linger."""
        order = ["says so", "warns only", "throws"] * 120
        for isolation in ("none", "fork"):
            with self.subTest(isolation=isolation):
                run = self.run_json("run", self.decorators, "--order", self.order_file(*order),
                                    "--isolate", isolation, "--no-db", code=1)
                seen = [r["outcome"] for r in gordian.results(run)]
                self.assertEqual(seen, ["fail", "pass", "fail"] * 120)

    def test_names_with_any_character_can_be_replayed(self):
        ran = self.gordian("detect", self.zoo("doctest/static_local"), "--json", "-")
        witness = ran.json()["dependences"][0]["witness"]
        self.assertEqual(witness, ['tickets "grow" [always]', "no ticket is sold at first"])
        again = self.gordian("replay", "D1", "--json", "-")
        self.assertIn(again.code, (0, 1), again)
        self.assertEqual(gordian.order_of(again.json()), witness)

    def test_snapshots_are_kept(self):
        """Nothing of the framework stands against going back."""
        for name in ("decorators", "subcases_clean", "exception_unwinds", "fixture_resets"):
            with self.subTest(suite=name):
                kept, tests = self.kept_snapshots(f"doctest/{name}")
                self.assertEqual(kept, tests)

    def test_a_crash_is_one_through_its_signal_handler(self):
        ran = self.gordian("run", self.zoo("doctest/stable_crash"), "--no-db", "--json", "-")
        crashed = gordian.results(ran.json())[1]
        self.assertEqual((crashed["outcome"], crashed["signal"]), ("crash", 6), ran)

    def test_explain_names_the_subcases_line(self):
        self.gordian("detect", self.zoo("doctest/subcase_global"))
        explained = self.gordian("explain", "D1", "--json", "-").json()["explanations"][0]
        self.assertEqual([c["name"] for c in explained["carriers"]], ["g_volume"])
        self.assertTrue(explained["proved"])


if __name__ == "__main__":
    gordian.main()
