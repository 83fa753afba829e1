#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What is special to Boost.Test: names of nested suites, decorators, declared dependences, fixtures of
suites, its own options, and crashes that it would like to catch itself."""
import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import gordian

SUITES = {s["name"]: s for s in gordian.zoo_suites() if s.get("framework") == "boost"}

# One file for what no suite of the zoo should have: it crashes, hangs and fails in set-up.
TROUBLE = r"""
#define BOOST_TEST_MODULE trouble
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
namespace utf = boost::unit_test;
struct Loud {
  Loud() { std::puts("up"); }
  ~Loud() { std::puts("down"); }
};
struct Broken {
  void setup() { throw std::runtime_error("no disk"); }
};
BOOST_AUTO_TEST_CASE(crashes) { std::abort(); }
BOOST_AUTO_TEST_CASE(exits) { std::exit(3); }
BOOST_AUTO_TEST_CASE(hangs, *utf::timeout(1)) { for (;;) continue; }
BOOST_AUTO_TEST_CASE(sees_no_options) {
  BOOST_TEST(std::getenv("BOOST_TEST_CATCH_SYSTEM_ERRORS") == nullptr);
  BOOST_TEST(std::getenv("BOOST_TEST_COLOR_OUTPUT") == nullptr);
}
BOOST_AUTO_TEST_SUITE(loud, *utf::fixture<Loud>())
BOOST_AUTO_TEST_CASE(first) { BOOST_TEST(true); }
BOOST_AUTO_TEST_CASE(second) { BOOST_TEST(true); }
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(broken, *utf::fixture<Broken>())
BOOST_AUTO_TEST_CASE(never) { BOOST_TEST(true); }
BOOST_AUTO_TEST_SUITE_END()
"""


class Boost(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        if not SUITES:
            raise unittest.SkipTest("Boost.Test is not installed: the zoo has no suites of it")
        cls.scratch = Path(tempfile.mkdtemp(prefix="gordian_e2e_")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        source = cls.scratch / "trouble.cc"
        source.write_text(TROUBLE)
        cls.trouble = cls.scratch / "trouble"
        subprocess.run(["c++", "-g", "-DBOOST_TEST_DYN_LINK", source, "-o", cls.trouble,
                        "-lboost_unit_test_framework"], check=True)

    def gordian(self, *words):
        return gordian.gordian(*words, cwd=self.scratch)

    def run_json(self, binary, *words):
        ran = self.gordian("run", binary, "--no-db", "--json", "-", *words)
        self.assertIn(ran.code, (0, 1), ran)
        return ran.json()

    def results(self, binary, *words):
        return {r["test"]: r for r in gordian.results(self.run_json(binary, *words))}

    def order(self, *names):
        path = self.scratch / "order.txt"
        path.write_text("".join(name + "\n" for name in names))
        return ["--isolate", "none", "--order", path]


class Zoo(Boost):
    def binary(self, name):
        return gordian.ZOO / "boost" / name

    def detect(self, name, *words):
        ran = self.gordian("detect", self.binary(name), "--no-db", "--seed", "1", "--json", "-", *words)
        self.assertIn(ran.code, (0, 1), ran)
        return ran.json()

    def test_three_ways_to_have_the_framework(self):
        """Static, shared, and compiled in: each with all its tests in the framework's order."""
        for name in ("ledger", "environment_setter", "undeclared_too"):
            with self.subTest(suite=name):
                run = self.run_json(self.binary(name), "--isolate", "none")
                self.assertEqual(gordian.order_of(run), SUITES[name]["tests"])

    def test_an_order_may_leave_a_suite_and_come_back(self):
        """Fixtures of suites run around each segment."""
        tests = ["first/second.ladder", "ground", "first.floor", "first/second.floor", "first.ladder",
                 "first/second.ladder", "ground"]
        run = self.run_json(self.binary("clean_fixtures"), *self.order(*tests))
        self.assertEqual([(r["test"], r["outcome"]) for r in gordian.results(run)],
                         [(test, "pass") for test in tests])

    def test_declared_dependences_are_not_findings(self):
        facts = self.detect("clean_declared_chain")
        self.assertEqual(facts["dependences"], [])
        declared = {d["test"]: d for d in facts["declared"]}
        self.assertEqual(set(declared), {"table.is_filled", "table.is_sorted"})
        self.assertEqual(declared["table.is_sorted"]["on"], ["table.is_made", "table.is_filled"])
        self.assertTrue(declared["table.is_filled"]["needed"])
        self.assertEqual(declared["table.is_filled"]["without"]["outcome"], "fail")

    def test_what_is_not_declared_is_found_besides(self):
        facts = self.detect("undeclared_too")
        self.assertEqual([d["witness"] for d in facts["dependences"]],
                         [SUITES["undeclared_too"]["dependences"][0]["witness"]])
        self.assertEqual(facts["dependences"][0]["alone"]["outcome"], "pass")

    def test_a_skip_by_a_failed_prerequisite_is_not_a_finding(self):
        facts = self.detect("failed_prerequisite")
        self.assertEqual(facts["dependences"], [])
        self.assertEqual([d["test"] for d in facts["left_out"]], ["hose.carries_water"])

    def test_reasons_of_skips_and_failures(self):
        results = self.results(self.binary("clean_decorators"), "--isolate", "none")
        self.assertIn("there is no printer", json.dumps(results["decorated.prints"]))
        self.assertIn("1 + 1 == 3", json.dumps(results["decorated.fails"]))
        self.assertIn("no paper", json.dumps(results["decorated.throws"]))

    def test_disabled_tests_run_when_asked(self):
        words = ("--isolate", "snapshot", "--also-run-disabled")
        results = self.results(self.binary("clean_decorators"), *words)
        self.assertEqual(results["decorated.is_off"]["outcome"], "fail")

    def test_the_programs_own_filter(self):
        run = self.run_json(self.binary("ledger"), "--isolate", "none", "--", "--run_test=ledger/entries")
        self.assertEqual(gordian.order_of(run), SUITES["ledger"]["tests"][1:])

    def test_the_programs_own_random_order_does_not_disturb(self):
        for option in ("--random", "--random=7", "--rand=7"):
            run = self.run_json(self.binary("ledger"), "--isolate", "none", "--", option)
            self.assertEqual(gordian.order_of(run), SUITES["ledger"]["tests"], option)

    def test_any_log_format_tells_the_failure(self):
        for options in (["--log_format=XML"], ["--logger=HRF,all:JUNIT,all,/dev/null"]):
            results = self.results(self.binary("clean_decorators"), "--isolate", "none", "--", *options)
            self.assertIn("1 + 1 == 3", json.dumps(results["decorated.fails"]), options)

    def test_snapshots_need_no_forks(self):
        """Fixtures of suites, the log and its formatters leave nothing that cannot be undone."""
        for name in ("ledger", "clean_fixtures", "clean_samples", "clean_decorators"):
            order = self.order(*SUITES[name]["tests"] * 30)[2:]
            run = self.run_json(self.binary(name), "--isolate", "snapshot", *order)
            why = [r["fell_back"] for r in gordian.results(run)]
            self.assertLessEqual(set(why), {None, "no snapshot was worth taking"}, name)
            self.assertGreater(why.count(None), len(why) // 2, name)


class Trouble(Boost):
    def test_crashes_exits_and_time_limits(self):
        for isolation in ("snapshot", "fork", "process"):
            with self.subTest(isolation=isolation):
                results = self.results(self.trouble, "--isolate", isolation)
                self.assertEqual({test: r["outcome"] for test, r in results.items()}, {
                    "crashes": "crash", "exits": "exit", "hangs": "fail", "sees_no_options": "pass",
                    "loud.first": "pass", "loud.second": "pass", "broken.never": "fail"})
                self.assertIn("no disk", json.dumps(results["broken.never"]))
                self.assertIn("timeout", json.dumps(results["hangs"]))

    def test_a_suite_is_set_up_once_for_each_segment(self):
        """What its fixture prints is not the output of a test."""
        tests = ("loud.first", "loud.second", "sees_no_options", "loud.second")
        run = self.run_json(self.trouble, *self.order(*tests))
        self.assertEqual([r["outcome"] for r in gordian.results(run)], ["pass"] * 4)
        self.assertNotIn("up", [r.get("output", "").strip() for r in gordian.results(run)])


if __name__ == "__main__":
    gordian.main()
