#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""A search continues an earlier one: killed, interrupted, finished, or of the binary before it was
rebuilt. Numbers are of orders and pairs, never of time."""
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import gordian

sys.path.insert(0, str(gordian.SOURCE / "tests" / "planted"))
from generate import generate  # noqa: E402  (found through the line above)

PLANTED = gordian.BUILD / "planted" / "planted"
WAIT = 60  # seconds for a search to get somewhere; never a measure of anything


class Resume(gordian.Case):
    def detect(self, binary, *words, code=None, db="db"):
        ran = self.gordian("detect", binary, "--json", "-", "--db", self.dir / db, *words)
        if code is not None:
            self.assertEqual(ran.code, code, ran)
        self.assertTrue(ran.out, ran)
        return ran.json(), ran

    def slow_model(self, count=24, pause=4000):
        """Tests that take a while, with a victim, a brittle test and a cleaner among them."""
        lines = ["test First Victim", "expect 0 0", "test First Sets", "set 1 1",
                 "test First Brittle", "expect 1 1", "test First Pollutes", "set 0 1",
                 "test First Cleans", "set 0 0"]
        for i in range(count):
            lines += [f"test Slow{i % 3} T{i}", f"sleep {pause}"]
        (self.dir / "model").write_text("\n".join(lines) + "\n")
        return ("--algorithm", "exhaustive", "-k", "2", "-j2", "--seed", "1"), \
            ("--", f"--model={self.dir / 'model'}")

    def start(self, *words, db="db"):
        return subprocess.Popen([gordian.BIN, "detect", PLANTED, "--db", self.dir / db,
                                 *map(str, words)], cwd=self.dir, env=gordian.clean_environment(),
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def covered(self, db="db"):
        """How many pairs the database says are covered."""
        file = self.dir / db
        if not file.exists():
            return 0
        with sqlite3.connect(file, timeout=10) as connection:
            try:
                rows = connection.execute("SELECT covered FROM state_tests").fetchall()
            except sqlite3.OperationalError:
                return 0  # the table is not there yet
        return sum(self.in_row(row[0], len(rows)) for row in rows)

    @staticmethod
    def in_row(packed, tests):
        """How many tests one row names: as bits, or as runs where these are shorter."""
        if len(packed) == (tests + 7) // 8:
            return bin(int.from_bytes(packed, "little")).count("1")
        numbers, value, shift = [], 0, 0
        for byte in packed:
            value, shift = value | (byte & 0x7f) << shift, shift + 7
            if byte < 0x80:
                numbers.append(value)
                value = shift = 0
        return sum(numbers[1::2])

    def until_more_than(self, process, pairs):
        end = time.monotonic() + WAIT
        while self.covered() <= pairs and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        if process.poll() is not None:
            self.fail("the search was over too soon to be ended by us: " + process.communicate()[1])

    def orders_of(self, facts, algorithm):
        return sum(phase["orders"] for phase in facts["search"]["phases"]
                   if phase["algorithm"] == algorithm)

    def findings(self, facts):
        """What must not depend on how often the search was ended."""
        keys = ("test", "role", "witness", "polluters", "state_setters", "polluters_complete",
                "cleaners", "cleaners_complete", "confirmed")
        found = [{key: found[key] for key in keys} for found in facts["dependences"]]
        return sorted(found, key=lambda one: one["test"])


class EndedInTheMiddle(Resume):
    def test_killed_again_and_again_it_gets_to_the_same_end(self):
        options, model = self.slow_model(count=30, pause=20000)
        seen = [0]
        for _ in range(3):
            search = self.start(*options, *model)
            self.until_more_than(search, seen[-1])
            search.send_signal(signal.SIGKILL)
            search.communicate(timeout=WAIT)
            seen.append(self.covered())
        self.assertEqual(seen, sorted(set(seen)), "each time there is more, never less")
        facts, ran = self.detect(PLANTED, *options, *model, code=1)
        search = facts["search"]
        self.assertEqual(search["earlier"]["kind"], "continued", ran.err)
        self.assertEqual(search["earlier"]["pairs_covered"], seen[-1])
        self.assertEqual(search["pairs_covered"], search["pairs_total"])
        self.assertEqual(search["complete_k"], 2)
        self.assertIn("Continues the search of", ran.err)
        whole, _ = self.detect(PLANTED, *options, *model, code=1, db="other")
        self.assertFalse(whole["search"]["resumed"])
        self.assertEqual(self.findings(facts), self.findings(whole))
        self.assertEqual({one["test"] for one in facts["dependences"]},
                         {"First.Victim", "First.Brittle"})
        # What was covered is not repeated; judging what is found takes some orders of its own.
        self.assertLess(self.orders_of(facts, "exhaustive"), 35 * 34 - seen[-1] + 60)

    def test_interrupted_by_the_user(self):
        options, model = self.slow_model()
        search = self.start("--json", self.dir / "first.json", *options, *model)
        self.until_more_than(search, 0)
        search.send_signal(signal.SIGINT)
        search.communicate(timeout=WAIT)
        self.assertEqual(search.returncode, 130)
        before = json.loads((self.dir / "first.json").read_text())["search"]["pairs_covered"]
        facts, ran = self.detect(PLANTED, *options, *model, code=1)
        self.assertEqual(facts["search"]["earlier"]["kind"], "continued", ran.err)
        self.assertEqual(facts["search"]["earlier"]["pairs_covered"], before)
        self.assertEqual(facts["search"]["pairs_covered"], facts["search"]["pairs_total"])

    def test_ended_by_its_budget(self):
        options, model = self.slow_model()
        first, _ = self.detect(PLANTED, *options, "--budget", "1500ms", *model)
        self.assertTrue(first["search"]["out_of_budget"])
        second, ran = self.detect(PLANTED, *options, *model, code=1)
        self.assertEqual(second["search"]["earlier"]["pairs_covered"],
                         first["search"]["pairs_covered"], ran.err)
        self.assertEqual(second["search"]["complete_k"], 2)

    def test_two_at_once_do_not_disturb_each_other(self):
        options, model = self.slow_model(count=10)
        searches = [self.start(*options, *model) for _ in range(2)]
        for search in searches:
            _, err = search.communicate(timeout=gordian.PATIENCE)
            self.assertEqual(search.returncode, 1, err)
        with sqlite3.connect(self.dir / "db") as connection:
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchone(), ("ok",))
        facts, ran = self.detect(PLANTED, *options, *model, code=1)
        self.assertIn(facts["search"]["earlier"]["kind"], ("finished", "continued"), ran.err)
        self.assertEqual(facts["search"]["complete_k"], 2)


class RandomSuites(Resume):
    """Ended after every few milliseconds, a search finds what one without a past finds."""

    def test_many_short_searches_are_one_long_one(self):
        cut_short = 0
        for seed in gordian.every(3, range(30000, 30025)):
            with self.subTest(seed=seed):
                (self.dir / "model").write_text(generate(seed).text())
                words = ("--algorithm", "exhaustive", "-k", "3", "--all", "-j1", "--",
                         f"--model={self.dir / 'model'}")
                whole, _ = self.detect(PLANTED, *words, db=f"whole{seed}")
                covered, has_begun = 0, False
                for _ in range(6):
                    facts, ran = self.detect_a_while(*words, db=f"db{seed}")
                    if facts is None or facts["search"]["nothing_searched"]:
                        cut_short += 1
                        continue
                    self.assertGreaterEqual(facts["search"]["pairs_covered"], covered, ran.err)
                    covered = facts["search"]["pairs_covered"]
                    cut_short += facts["search"]["complete_k"] < 3
                    has_begun = True
                facts, ran = self.detect(PLANTED, *words, db=f"db{seed}")
                self.assertTrue(facts["search"]["resumed"] or not has_begun, ran.err)
                self.assertEqual(facts["search"]["complete_k"], whole["search"]["complete_k"])
                self.assertEqual(self.lists(facts), self.lists(whole), ran.err)
        self.assertGreater(cut_short, 0, "no search was cut short: nothing was tested")

    def detect_a_while(self, *words, db):
        """(None, ran) if a busy machine took all of it for the start of the program."""
        ran = self.gordian("detect", PLANTED, "--json", "-", "--db", self.dir / db,
                           "--budget", "60ms", *words)
        if ran.code == 3 and "did not reach its first test" in ran.err:
            return None, ran
        self.assertTrue(ran.out, ran)
        return ran.json(), ran

    def lists(self, facts):
        """A test may have several dependences: none may be missing, and none there twice."""
        return sorted(((d["test"], d["role"], d["witnessed"], len(d["witness"]), d["polluters"],
                        d["state_setters"], d["alone"], d["expected"])
                       for d in facts["dependences"]), key=json.dumps)


class Finished(Resume):
    def setUp(self):
        super().setUp()
        self.binary = self.zoo("guilty/global_int")
        self.first, _ = self.detect(self.binary, code=1)

    def test_is_not_repeated_but_its_dependences_are_checked(self):
        facts, ran = self.detect(self.binary, code=1)
        search = facts["search"]
        self.assertEqual(search["earlier"]["kind"], "finished")
        self.assertEqual([p["algorithm"] for p in search["phases"]],
                         ["default order", "known dependences"])
        self.assertEqual(search["complete_k"], self.first["search"]["complete_k"])
        self.assertEqual(self.findings(facts), self.findings(self.first))
        self.assertEqual(facts["dependences"][0]["id"], self.first["dependences"][0]["id"])
        self.assertIn("was finished", ran.err)
        self.assertIn("--full", ran.err)

    def test_keeps_every_dependence_of_a_test(self):
        binary = self.zoo("guilty/data_source")
        told = [(d["test"], d["role"], d["witnessed"]["outcome"])
                for d in self.detect(binary, code=1)[0]["dependences"]]
        self.assertGreater(len(told), len({test for test, _, _ in told}))
        for _ in range(2):
            facts, _ = self.detect(binary, code=1)
            self.assertEqual(facts["search"]["earlier"]["kind"], "finished")
            self.assertCountEqual([(d["test"], d["role"], d["witnessed"]["outcome"])
                                   for d in facts["dependences"]], told)

    def test_full_repeats_it(self):
        facts, _ = self.detect(self.binary, "--full", code=1)
        self.assertFalse(facts["search"]["resumed"])
        self.assertIsNone(facts["search"]["earlier"])
        self.assertIn("exhaustive", [p["algorithm"] for p in facts["search"]["phases"]])

    def test_without_the_database_nothing_is_known(self):
        facts, _ = self.detect(self.binary, "--no-db", code=1)
        self.assertFalse(facts["search"]["resumed"])

    def test_other_tests_arguments_and_limits_are_other_searches(self):
        for words in (("--filter", "Account.*"), ("--timeout", "3s"), ("--isolate", "process"),
                      ("--private-fs", "off"), ("--", "--gtest_break_on_failure=0")):
            with self.subTest(words=words):
                facts, _ = self.detect(self.binary, *words, code=1)
                self.assertFalse(facts["search"]["resumed"])
                again, _ = self.detect(self.binary, *words, code=1)
                self.assertEqual(again["search"]["earlier"]["kind"], "finished")

    def test_another_algorithm_goes_on_with_what_is_known(self):
        facts, _ = self.detect(self.binary, "--algorithm", "exhaustive", "-k", "2", code=1)
        search = facts["search"]
        self.assertEqual(search["earlier"]["pairs_covered"], search["pairs_total"])
        self.assertEqual(search["complete_k"], 3)

    def test_given_orders_are_run_whatever_is_known(self):
        for seed in range(1, 30):
            facts, _ = self.detect(self.binary, "--from-seed", seed)
            self.assertFalse(facts["search"]["resumed"])
            if facts["dependences"]:
                return
        self.fail("no seed shows it")

    def test_a_damaged_state_is_refused_with_the_way_out(self):
        with sqlite3.connect(self.dir / "db") as connection:
            connection.execute("UPDATE state_tests SET results = '{'")
        ran = self.gordian("detect", self.binary, "--db", self.dir / "db")
        self.assertIn("cannot be read", ran.err)
        self.assertIn("--full", ran.err)
        self.assertNotIn(ran.code, (0, 1, 130))
        facts, _ = self.detect(self.binary, "--full", code=1)
        self.assertEqual(len(facts["dependences"]), 1)


class CrashPlaces(Resume):
    """A test that crashes in two places has two dependences, in every search of a row."""

    def test_stay_apart(self):
        (self.dir / "model").write_text("test S Crashes\ncrash_if 0 1\ncrash_elsewhere_if 1 1\n"
                                        "test S Here\nset 0 1\ntest S There\nset 1 1\n"
                                        "test S Too\nset 0 1\n")
        told = None
        for kind in (None, "finished", "finished"):
            facts, ran = self.detect(PLANTED, "--", f"--model={self.dir / 'model'}", code=1)
            if kind:
                self.assertEqual(facts["search"]["earlier"]["kind"], kind, ran.err)
            now = [(d["test"], d["witnessed"]["message"], d["witnessed"]["line"], d["polluters"],
                    d["polluters_complete"]) for d in facts["dependences"]]
            told = told or now
            self.assertCountEqual(now, told, ran.err)
        self.assertCountEqual([one[3] for one in told], [["S.Here", "S.Too"], ["S.There"]])
        self.assertEqual(len({one[1:3] for one in told}), 2, told)


class ChangedSurroundings(Resume):
    def test_other_results_by_default_start_it_afresh(self):
        model = self.dir / "model"
        words = ("--", f"--model={model}")
        model.write_text("test A One\nexpect 0 0\ntest A Two\nset 0 1\n")
        self.detect(PLANTED, *words, code=1)
        model.write_text("test A One\nexpect 0 5\ntest A Two\nset 0 1\n")
        facts, ran = self.detect(PLANTED, *words)
        self.assertFalse(facts["search"]["resumed"])
        self.assertIn("gives other results", ran.err)
        self.assertIn("A.One", ran.err)

    def test_a_dependence_that_does_not_come_back_is_searched_afresh(self):
        model = self.dir / "model"
        words = ("--", f"--model={model}")
        model.write_text("test A One\nexpect 0 0\ntest A Two\nset 0 1\ntest A Three\n")
        self.detect(PLANTED, *words, code=1)
        # Neither the binary nor its results by default show that another test pollutes now.
        model.write_text("test A One\nexpect 0 0\ntest A Two\ntest A Three\nset 0 1\n")
        facts, ran = self.detect(PLANTED, *words, code=1)
        self.assertEqual(facts["dependences"][0]["witness"], ["A.Three", "A.One"], ran.err)
        self.assertEqual(facts["search"]["earlier"]["changed_tests"], 1)
        self.assertIn("did not come back", ran.err)
        self.assertGreaterEqual(facts["search"]["complete_k"], 2)


SOURCE = """
#include <gtest/gtest.h>
#include <vector>
int g_count = 0;
std::vector<int> g_list;
{extra}
static int helper(int x) {{ return {helper}; }}
TEST(Victim, SeesNothing) {{ EXPECT_EQ(g_count, 0); }}
{others}
TEST(Late, UsesHelper) {{ EXPECT_EQ(helper(1), helper(1)); }}
TEST(Late, Changes) {{ {body} EXPECT_TRUE(true); }}
"""


class Rebuilt(Resume):
    OTHERS = 20

    def build(self, extra="", helper="x + 1", body="", others="", strip=False):
        tests = "\n".join(f"TEST(Other{i % 4}, T{i}) {{ int x = {i}; EXPECT_EQ(x, {i}); }}"
                          for i in range(self.OTHERS))
        source = self.dir / "t.cc"
        source.write_text(SOURCE.format(extra=extra, helper=helper, body=body,
                                        others=tests + others))
        words = ["c++", "-O0", "-std=c++17", source, "-o", self.dir / "t", "-lgtest",
                 "-lgtest_main", "-lpthread"] + (["-s"] if strip else [])
        subprocess.run([str(word) for word in words], check=True, cwd=self.dir)
        return self.dir / "t"

    def pairs(self, facts):
        """Orders of exhaustive search: each test alone, then pairs."""
        return self.orders_of(facts, "exhaustive")

    def search(self, *words, code=None):
        return self.detect(self.dir / "t", "--algorithm", "exhaustive", "-k", "2", "--seed", "1",
                           *words, code=code)

    def test_a_dependence_planted_in_one_test_is_found_with_few_orders(self):
        self.build()
        first, _ = self.search(code=0)
        tests = self.OTHERS + 3
        self.assertEqual(self.pairs(first), tests + tests * (tests - 1))
        self.build(body="g_count = 1;")
        second, ran = self.search(code=1)
        self.assertEqual(second["search"]["earlier"]["kind"], "rebuilt", ran.err)
        self.assertEqual(second["search"]["earlier"]["changed_tests"], 1)
        self.assertEqual([d["test"] for d in second["dependences"]], ["Victim.SeesNothing"])
        self.assertEqual(second["dependences"][0]["by"], ["Late.Changes"])
        self.assertTrue(second["dependences"][0]["polluters_complete"])
        self.assertEqual(second["search"]["complete_k"], 2)
        # Each test alone, the pairs with the changed test, and what it takes to judge.
        self.assertLess(self.pairs(second), self.pairs(first) / 4)
        self.assertIn("1 test is new or changed", ran.err)
        full, _ = self.search("--full", code=1)
        self.assertEqual(self.findings(full), self.findings(second))
        self.assertGreaterEqual(self.pairs(full), self.pairs(first))

    def test_the_same_with_auto(self):
        self.build()
        first, _ = self.detect(self.dir / "t", code=0)
        self.build(body="g_count = 1;")
        second, ran = self.detect(self.dir / "t", code=1)
        self.assertEqual(second["search"]["earlier"]["changed_tests"], 1, ran.err)
        self.assertLess(second["search"]["orders"], first["search"]["orders"] / 2)
        self.assertEqual(second["search"]["complete_k"], first["search"]["complete_k"])

    def test_moved_code_changes_nothing(self):
        self.build()
        self.search(code=0)
        self.build(extra="int unrelated(int x) {\n  g_list.push_back(x);\n  return x * 3;\n}\n")
        facts, ran = self.search(code=0)
        self.assertEqual(facts["search"]["earlier"]["changed_tests"], 0, ran.err)
        self.assertEqual(facts["search"]["complete_k"], 2)
        self.assertLessEqual(self.pairs(facts), self.OTHERS + 3)

    def test_a_changed_helper_and_a_new_test_count(self):
        self.build()
        self.search(code=0)
        self.build(helper="x + 2", others="\nTEST(New, One) { g_count = 1; }")
        facts, ran = self.search(code=1)
        self.assertEqual(facts["search"]["earlier"]["changed_tests"], 2, ran.err)
        self.assertEqual(facts["dependences"][0]["by"], ["New.One"])

    def test_a_dependence_that_was_repaired_is_gone(self):
        self.build(body="g_count = 1;")
        self.search(code=1)
        self.build()
        facts, ran = self.search(code=0)
        self.assertEqual(facts["dependences"], [], ran.err)
        self.assertEqual(facts["search"]["complete_k"], 2)

    def test_a_dependence_of_unchanged_tests_stays(self):
        self.build(body="g_count = 1;")
        first, _ = self.search(code=1)
        self.build(body="g_count = 1;", helper="x + 3")
        second, ran = self.search(code=1)
        self.assertEqual(self.findings(first), self.findings(second), ran.err)
        self.assertEqual(first["dependences"][0]["id"], second["dependences"][0]["id"])

    def test_without_symbols_everything_is_searched(self):
        self.build(strip=True)
        first, _ = self.search(code=0)
        self.build(strip=True, body="g_count = 1;")
        facts, ran = self.search(code=1)
        self.assertFalse(facts["search"]["resumed"])
        self.assertIn("no symbols", ran.err)
        self.assertGreaterEqual(self.pairs(facts), self.pairs(first))

    def test_a_changed_library_counts(self):
        def build_library(value):
            (self.dir / "lib.cc").write_text(f"int from_library() {{ return {value}; }}\n")
            subprocess.run(["c++", "-shared", "-fPIC", "lib.cc", "-o", "libcode.so"], check=True,
                           cwd=self.dir)
        build_library(1)
        (self.dir / "t.cc").write_text("#include <gtest/gtest.h>\nint from_library();\n"
                                       "TEST(A, One) { EXPECT_GT(from_library(), 0); }\n"
                                       "TEST(A, Two) {}\n")
        subprocess.run(["c++", "-std=c++17", "t.cc", "-o", "t", "-lgtest", "-lgtest_main",
                        "-lpthread", "-L.", "-lcode", "-Wl,-rpath,$ORIGIN"], check=True,
                       cwd=self.dir)
        self.search(code=0)
        same, _ = self.search(code=0)
        self.assertTrue(same["search"]["resumed"])
        build_library(2)
        facts, ran = self.search(code=0)
        self.assertFalse(facts["search"]["resumed"])
        self.assertIn("shared library", ran.err)


if __name__ == "__main__":
    if not shutil.which("c++"):
        sys.exit("these tests need a compiler")
    gordian.main()
