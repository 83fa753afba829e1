#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""From a failure elsewhere to a witness, from a witness to a replay; and what ends a search.

Suites that no zoo binary has are written as models for tests/planted/planted.cc.
"""
import re
import shutil
import signal
import subprocess
import time

import gordian
from hostile import processes_of

PLANTED = gordian.BUILD / "planted" / "planted"
ACCOUNT = "guilty/global_int"
VICTIM, POLLUTER = "Account.StartsEmpty", "Account.DepositGrowsBalance"


class Story(gordian.Case):
    def detect(self, binary, *words, code=None):
        """(facts, Ran)."""
        ran = self.gordian("detect", binary, "--timeout", "2s", "--json", "-", *words)
        if code is not None:
            self.assertEqual(ran.code, code, ran)
        self.assertTrue(ran.out, ran)
        return ran.json(), ran

    def model(self, *lines):
        """The words that make the planted binary this suite: what follows its name."""
        self.assertTrue(PLANTED.exists(), f"{PLANTED} is not built (target planted)")
        (self.dir / "model").write_text("\n".join(lines) + "\n")
        return ("--", f"--model={self.dir / 'model'}")

    def only(self, facts):
        self.assertEqual(len(facts["dependences"]), 1, facts["dependences"])
        return facts["dependences"][0]


def framework_order(words):
    """What GoogleTest itself runs, from its own output."""
    ran = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False,
                         env=gordian.clean_environment())
    return re.findall(r"\[ RUN      \] (\S+)", ran.stdout)


class FromSeed(Story):
    """Every test of this model fails at a line that tells its position, so that the findings spell
    out the whole order: a test is reported with the position it had, unless that is its usual one;
    nothing is known only of the test that stood first."""

    TESTS = ("First A", "First B", "First DISABLED_C", "First D", "CrashDeathTest A",
             "CrashDeathTest B", "Second A", "Second B", "Second C", "Typed/HangDeathTest/0 A",
             "DISABLED_Third A", "Fourth A")

    def positions(self, count):
        """The model's words, and {line: position}."""
        lines, meaning = [], {}
        for test in self.TESTS:
            lines += [f"test {test}", "add 0 1"]
            for position in range(1, count + 1):
                lines.append(f"expect_if 0 {position} 1 99")
                meaning[len(lines)] = position
        return self.model(*lines), meaning

    def test_is_the_order_of_the_framework(self):
        words, meaning = self.positions(10)
        usual = framework_order([PLANTED, *words[1:]])
        self.assertEqual(len(usual), 10)
        for seed in (1, 2, 7, 42, 1234, 99999):
            with self.subTest(seed=seed):
                wanted = framework_order([PLANTED, *words[1:], "--gtest_shuffle",
                                          f"--gtest_random_seed={seed}"])
                facts, _ = self.detect(PLANTED, "--from-seed", seed, "--no-db", *words)
                seen = {test: {usual.index(test) + 1} for test in usual}
                for found in facts["dependences"]:
                    seen[found["test"]].add(meaning[found["witnessed"]["line"]])
                for test in wanted[1:]:
                    self.assertEqual(seen[test], {usual.index(test) + 1, wanted.index(test) + 1},
                                     (test, wanted))
                self.assertNotEqual(wanted, usual)

    def test_leads_to_the_witness(self):
        seed = next(seed for seed in range(1, 50) if self.fails(seed))
        found = self.only(self.detect(self.zoo(ACCOUNT), "--from-seed", seed, "--no-db")[0])
        self.assertEqual(found["witness"], [POLLUTER, VICTIM])

    def fails(self, seed):
        order = framework_order([self.zoo(ACCOUNT), "--gtest_shuffle",
                                 f"--gtest_random_seed={seed}"])
        return order.index(POLLUTER) < order.index(VICTIM)

    def test_a_seed_that_fails_nothing_finds_nothing(self):
        seed = next(seed for seed in range(1, 50) if not self.fails(seed))
        facts, ran = self.detect(self.zoo(ACCOUNT), "--from-seed", seed, "--no-db", code=0)
        self.assertEqual(facts["dependences"], [], ran.err)


class FromXml(Story):
    def framework_report(self, binary, *words):
        """The XML that GoogleTest writes for the first seed that makes it fail."""
        report = self.dir / "report.xml"
        for seed in range(1, 100):
            ran = subprocess.run([binary, f"--gtest_output=xml:{report}", "--gtest_shuffle",
                                  f"--gtest_random_seed={seed}", *words], cwd=self.dir,
                                 env=gordian.clean_environment(), capture_output=True, check=False)
            if ran.returncode == 1:
                return report
        return self.fail("no seed makes it fail")

    def test_report_of_the_framework(self):
        report = self.framework_report(self.zoo(ACCOUNT))
        facts, ran = self.detect(self.zoo(ACCOUNT), "--from-xml", report, "--no-db", code=1)
        self.assertEqual(self.only(facts)["witness"], [POLLUTER, VICTIM], ran.err)

    def test_report_of_the_framework_over_several_suites(self):
        """It lists suites as registered, not as run, with time stamps that are too coarse to
        tell: the shuffled order is known from its seed."""
        words = self.model("test First Victim", "expect 0 0", "test First Other",
                           "test Second Polluter", "set 0 1", "test Third Other")
        report = self.framework_report(PLANTED, *words[1:])
        facts, ran = self.detect(PLANTED, "--from-xml", report, "--no-db", *words)
        self.assertEqual(self.only(facts)["witness"], ["Second.Polluter", "First.Victim"], ran.err)

    def test_our_own_report(self):
        for kind in ("random", "interleave"):
            with self.subTest(kind=kind):
                report = self.our_report(kind)
                facts, ran = self.detect(self.zoo(ACCOUNT), "--from-xml", report, "--no-db", code=1)
                self.assertEqual(self.only(facts)["witness"], [POLLUTER, VICTIM], ran.err)

    def our_report(self, kind):
        report = self.dir / "junit.xml"
        for seed in range(1, 100):
            ran = self.gordian("run", self.zoo(ACCOUNT), "--isolate", "none", "--order",
                               f"{kind}:{seed}", "--junit", report, "--no-db")
            if ran.code == 1:
                return report
        return self.fail("no order makes it fail")

    def test_our_own_report_of_interleaved_suites(self):
        """What fails only when a suite is left and entered again."""
        words = self.model("test First Victim", "expect 1 0", "test First Starts", "set 0 1",
                           "test Second Ends", "set_if 0 1 1 1")
        (self.dir / "order").write_text("First.Starts\nSecond.Ends\nFirst.Victim\n")
        report = self.dir / "junit.xml"
        ran = self.gordian("run", PLANTED, "--isolate", "none", "--order", "order", "--junit",
                           report, "--no-db", *words)
        self.assertEqual(ran.code, 1, ran)
        facts, ran = self.detect(PLANTED, "--from-xml", report, "--no-db", *words)
        found = self.only(facts)
        self.assertEqual(found["witness"], ["First.Starts", "Second.Ends", "First.Victim"], ran.err)
        self.assertTrue(found["splits_suite"])

    def test_report_of_another_program(self):
        report = self.framework_report(self.zoo(ACCOUNT))
        ran = self.gordian("detect", self.zoo("guilty/env_var"), "--from-xml", report, "--no-db")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("Account.", ran.err)

    def test_file_that_is_no_report(self):
        (self.dir / "text").write_text("1..4\nok 1\n")
        for file in ("text", "nothing_there"):
            ran = self.gordian("detect", self.zoo(ACCOUNT), "--from-xml", file, "--no-db")
            self.assertEqual(ran.code, 2, ran)
            self.assertIn(file, ran.err)


class Numbers(Story):
    def test_replay_shows_it_again(self):
        facts, _ = self.detect(self.zoo(ACCOUNT))
        self.assertEqual(self.only(facts)["id"], "D1")
        ran = self.gordian("replay", "D1", "--json", "-")
        self.assertIn("D1 shows again", ran.err)
        self.assertEqual(gordian.order_of(ran.json()), [POLLUTER, VICTIM])
        self.assertEqual([r["outcome"] for r in gordian.results(ran.json())], ["pass", "fail"])
        self.assertEqual(ran.code, 1, ran)

    def test_the_command_that_a_report_names_replays_it(self):
        found = self.only(self.detect(self.zoo(ACCOUNT))[0])
        words = found["replay"].split()
        self.assertEqual(words[0], "gordian")
        self.assertIn("shows again", self.gordian(*words[1:]).err)

    def test_replay_of_a_brittle_test_passes(self):
        self.detect(self.zoo("guilty/brittle_init"))
        ran = self.gordian("replay", "D1")
        self.assertIn("D1 shows again", ran.err)
        self.assertEqual(ran.code, 0, ran)

    def test_replay_after_a_repair_says_so(self):
        binary = self.dir / "suite"
        shutil.copy2(PLANTED, binary)
        words = self.model("test S Victim", "expect 0 0", "test S Polluter", "set 0 1")
        self.only(self.detect(binary, *words)[0])
        self.model("test S Victim", "expect 0 0", "test S Polluter", "set 0 0")
        ran = self.gordian("replay", "D1")
        self.assertIn("D1 does not show any more", ran.err)

    def test_numbers_stay(self):
        """Whatever order they are found in, and whether they are found at all."""
        binary = self.zoo("guilty/two_victims")
        first = {d["test"]: d["id"] for d in self.detect(binary)[0]["dependences"]}
        self.assertEqual(sorted(first.values()), ["D1", "D2"])
        self.assertEqual(self.only(self.detect(self.zoo(ACCOUNT))[0])["id"], "D3")
        for words in (("--algorithm", "reversal"), ("--seed", "9"), ("--algorithm", "pairs")):
            again = {d["test"]: d["id"] for d in self.detect(binary, *words)[0]["dependences"]}
            self.assertEqual(again, first, words)

    def test_unknown_number(self):
        self.detect(self.zoo(ACCOUNT))
        ran = self.gordian("replay", "D7")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("D7", ran.err)


class Selected(Story):
    def test_filter_keeps_both(self):
        facts, _ = self.detect(self.zoo(ACCOUNT), "--filter", f"{VICTIM}:{POLLUTER}", "--no-db",
                               code=1)
        self.assertEqual(self.only(facts)["witness"], [POLLUTER, VICTIM])
        self.assertEqual(facts["search"]["pairs_total"], 2)

    def test_filter_without_the_polluter(self):
        facts, _ = self.detect(self.zoo(ACCOUNT), "--filter", f"*-{POLLUTER}", "--no-db", code=0)
        self.assertEqual(facts["dependences"], [])
        self.assertEqual(facts["search"]["pairs_total"], 6)

    def test_filter_that_selects_nothing(self):
        ran = self.gordian("detect", self.zoo(ACCOUNT), "--filter", "No.*", "--no-db")
        self.assertEqual(ran.code, 2, ran)


class Bounds(Story):
    """What small suites cannot show."""

    def big(self, tests, microseconds):
        return self.model("test S Victim", "expect 0 0", "test S Polluter", "set 0 1",
                          *(line for i in range(tests)
                            for line in (f"test S Slow{i}", f"sleep {microseconds}")))

    def test_a_search_that_was_cut_short_says_so(self):
        words = self.big(400, 300)
        begun = time.monotonic()
        facts, ran = self.detect(PLANTED, "--budget", "5s", "--no-db", *words)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertTrue(facts["search"]["out_of_budget"])
        self.assertLess(facts["search"]["complete_k"], 2)
        self.assertLess(facts["search"]["pairs_covered"], facts["search"]["pairs_total"])
        self.assertIn("not complete", ran.err.lower())

    def test_a_search_without_time_to_search_fails(self):
        """The default order takes longer than the budget: no finding must not look like none."""
        words = self.big(20, 100000)
        facts, ran = self.detect(PLANTED, "--budget", "1s", "--no-db", *words)
        self.assertEqual(ran.code, 1, ran)
        self.assertTrue(facts["search"]["nothing_searched"])
        self.assertEqual(facts["search"]["complete_k"], 0)
        self.assertIn("Nothing was searched", ran.err)
        self.assertEqual(self.gordian("detect", PLANTED, "--budget", "1s", "--no-db", "--fail-on",
                                      "none", *words).code, 0)

    def test_interrupted(self):
        """What is known by then is told, and nothing stays behind."""
        binary = self.dir / "planted"
        shutil.copy2(PLANTED, binary)
        words = self.big(300, 1000)
        with subprocess.Popen([gordian.BIN, "detect", binary, "--budget", "0", "--no-db", "--json",
                               self.dir / "facts.json", *words], cwd=self.dir, text=True,
                              env=gordian.clean_environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            said = ""
            for line in process.stderr:
                said += line
                if "FOUND" in line:
                    process.send_signal(signal.SIGINT)
                    break
            said += process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130, said)
        facts = gordian.json.loads((self.dir / "facts.json").read_text())
        self.assertEqual(facts["end"], "interrupted")
        self.assertEqual(self.only(facts)["witness"], ["S.Polluter", "S.Victim"])
        self.assertRegex(said, r"D1\s+victim\s+S\.Victim")
        self.assertEqual(processes_of(self.dir), {})

    def test_the_witness_is_the_shortest_that_is_known(self):
        """Two tests together are met first; one other is enough."""
        words = self.model("test S A", "set 1 1", "test S Victim", "expect 2 0",
                           *(f"test S Bystander{i}" for i in range(8)),
                           "test S B", "set_if 1 1 2 1", "test S Enough", "set 2 1")
        for algorithm in ("exhaustive", "aware"):
            with self.subTest(algorithm=algorithm):
                facts, _ = self.detect(PLANTED, "--algorithm", algorithm, "-k", "3", "--no-db",
                                       *words)
                self.assertEqual(self.only(facts)["witness"], ["S.Enough", "S.Victim"])

    def test_a_victim_that_crashes_by_default_is_still_tried_as_a_polluter(self):
        words = self.model("test S Victim", "below 0 2", "test S Arms", "set 1 1",
                           "test S Crashes", "add 0 1", "crash_if 1 1", "test S Adds", "add 0 1")
        for search in (("exhaustive", "-k", "3"), ("aware", "-k", "3"), ("auto",)):
            with self.subTest(algorithm=search[0]):
                facts, ran = self.detect(PLANTED, "--algorithm", *search, "--no-db", *words)
                found = sorted(d["test"] for d in facts["dependences"])
                self.assertEqual(found, ["S.Crashes", "S.Victim"], ran.err)

    def test_its_victims_know_it_as_a_polluter_and_as_a_cleaner(self):
        words = self.model("test S Arms", "set 1 1", "test S Crashes", "crash_if 1 1", "set 0 0",
                           "set 2 1", "test S Stained", "expect 0 0", "test S Stains", "set 0 1",
                           "test S Polluted", "expect 2 0", "test S AlsoPollutes", "set 2 1")
        for search in (("aware", "-k", "3"), ("auto",)):
            with self.subTest(algorithm=search[0]):
                facts, ran = self.detect(PLANTED, "--algorithm", *search, "--all", "--no-db",
                                         *words)
                found = {d["test"]: d for d in facts["dependences"]}
                self.assertIn("S.Crashes", found["S.Stained"]["cleaners"], ran.err)
                self.assertEqual(sorted(found["S.Polluted"]["polluters"]),
                                 ["S.AlsoPollutes", "S.Crashes"], ran.err)


if __name__ == "__main__":
    gordian.main()
