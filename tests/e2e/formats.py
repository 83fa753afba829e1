#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What gordian writes: JSON, JUnit, text for pipes and for terminals; and what it reads: builds."""
import json
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

import gordian
from terminal import Screen, in_terminal

ESCAPE = "\x1b"
MIXED = ("clean/stable_failure", "clean/always_skip", "clean/stable_crash_middle",
         "hostile/exits", "guilty/global_int")


class Files(gordian.Case):
    def both(self, *words):
        ran = self.gordian("run", *words, "--json", "run.json", "--junit", "run.xml")
        self.assertIn(ran.code, (0, 1), ran)
        self.assertEqual(ran.out, "", "reports go to files")
        report = json.loads((self.dir / "run.json").read_text())
        return report, xml.etree.ElementTree.parse(self.dir / "run.xml").getroot()

    def assert_same_counts(self, runs, root):
        """A crash or a timeout is an error or a failure: JUnit has no finer words."""
        counts = {word: sum(run["counts"][word] for run in runs) for word in runs[0]["counts"]}
        bad = sum(counts[word] for word in ("fail", "crash", "timeout", "exit", "lost"))
        cases = list(root.iter("testcase"))
        self.assertEqual(len(cases), counts["total"])
        failed = [c for c in cases if c.find("failure") is not None or c.find("error") is not None]
        skipped = [c for c in cases if c.find("skipped") is not None]
        self.assertEqual(len(failed), bad)
        self.assertEqual(len(skipped), counts["skip"] + counts["not_run"])
        self.assertEqual(int(root.get("tests")), counts["total"])
        self.assertEqual(int(root.get("failures")) + int(root.get("errors")), bad)
        suites = list(root.iter("testsuite"))
        for attribute in ("tests", "failures", "errors"):
            self.assertEqual(sum(int(s.get(attribute)) for s in suites), int(root.get(attribute)))

    def test_counts_agree(self):
        for isolation in ("none", "fork", "process"):
            for name in MIXED:
                with self.subTest(name=name, isolation=isolation):
                    report, root = self.both(self.zoo(name), "--isolate", isolation)
                    self.assertEqual(report["counts"]["total"], len(gordian.results(report)))
                    self.assert_same_counts([report], root)

    def test_several_binaries(self):
        report, root = self.both(*(self.zoo(name) for name in MIXED))
        self.assertEqual(report["kind"], "runs")
        self.assertEqual([run["target"]["binary"] for run in report["runs"]],
                         [str(self.zoo(name)) for name in MIXED])
        self.assertEqual([run["id"] for run in report["runs"]],
                         [f"R{i + 1}" for i in range(len(MIXED))])
        self.assert_same_counts(report["runs"], root)

    def test_repeats_are_all_in_the_reports(self):
        report, root = self.both(self.zoo("clean/stable_failure"), "--repeat", "2")
        self.assertEqual(len(report["orders"]), 2)
        self.assert_same_counts([report], root)

    def test_standard_output_holds_json_only(self):
        ran = self.gordian("run", self.zoo("clean/prints_a_lot"), "--json", "-")
        self.assertEqual(json.loads(ran.out)["kind"], "run")
        ran = self.gordian("list", self.zoo("clean/parametrised"), "--json")
        self.assertEqual(json.loads(ran.out)["kind"], "list")
        ran = self.gordian("doctor", self.zoo("clean/parametrised"), "--json")
        self.assertEqual(json.loads(ran.out)["kind"], "doctor")

    def test_buffered_output_of_a_passing_test(self):
        """No newline at its end and nothing that flushes: it is the test's all the same."""
        for isolation in ("none", "fork", "process"):
            with self.subTest(isolation=isolation):
                run = self.run_json("run", self.zoo("clean/prints_a_lot"), "--isolate", isolation)
                output = {r["test"]: r["output"] for r in gordian.results(run)}
                self.assertTrue(output["Noise.Loud"].endswith("no newline at the end"))
                self.assertIn("Noise.Nobody", output["Noise.Imitates"])
                self.assertEqual(output["Noise.ToTheErrorStream"], "error: all is well\n")

    def test_flood_of_output(self):
        report, root = self.both(self.zoo("hostile/output_flood"))
        flood = gordian.results(report)[0]
        self.assertTrue(flood["output_truncated"])
        self.assertLess(len(flood["output"]), 1 << 20)
        self.assert_same_counts([report], root)


class Text(gordian.Case):
    def test_a_pipe_gets_no_escape_codes(self):
        for name in MIXED:
            ran = self.gordian("run", self.zoo(name))
            self.assertNotIn(ESCAPE, ran.err + ran.out, ran)
        self.assertNotIn(ESCAPE, self.gordian("list", self.zoo("guilty/global_int")).out)
        self.assertNotIn(ESCAPE, self.gordian("doctor", self.zoo("guilty/global_int")).out)

    def test_colour_can_be_forced(self):
        ran = self.gordian("run", self.zoo("clean/stable_failure"), "--color", "always")
        self.assertIn(ESCAPE, ran.err)

    def test_summary_names_the_failures(self):
        ran = self.gordian("run", self.zoo("clean/stable_failure"))
        run = self.run_json("run", self.zoo("clean/stable_failure"))
        failed = [r for r in gordian.results(run) if r["outcome"] == "fail"]
        self.assertTrue(failed)
        for result in failed:
            summary = ran.err[ran.err.index("Summary"):]
            self.assertIn(result["test"], summary)
            self.assertIn(f"{result['file']}:{result['line']}", summary)


class Terminal(gordian.Case):
    def on_terminal(self, *words, **env):
        return in_terminal([str(gordian.BIN), *map(str, words)], self.dir,
                           gordian.clean_environment(**env))

    def test_progress_is_shown_and_cleared(self):
        code, text = self.on_terminal("run", self.zoo("hostile/hangs"), "--timeout", "1s", "-j1",
                                      "--isolate", "process")
        self.assertEqual(code, 1, text)
        self.assertIn(ESCAPE, text)
        self.assertRegex(text, r"Hostile\.Hangs")
        shown = Screen(text).lines()
        self.assertTrue(any("Summary" in line for line in shown), shown)
        after = shown[[i for i, line in enumerate(shown) if "Summary" in line][-1]:]
        self.assertFalse(any("running" in line.lower() for line in after), shown)
        self.assertEqual("".join(shown).count("TIMEOUT"), 2, shown)  # the event and the summary

    def test_the_terminal_is_left_as_it_was(self):
        _, text = self.on_terminal("run", self.zoo("guilty/global_int"))
        self.assertTrue(text.endswith("\n"), repr(text[-80:]))
        self.assertEqual(text.count(ESCAPE + "[?25l"), text.count(ESCAPE + "[?25h"), "the cursor")
        colours = re.findall(r"\x1b\[[0-9;]*m", text)
        if colours:
            self.assertIn(colours[-1], (ESCAPE + "[0m", ESCAPE + "[m"))

    def test_no_color(self):
        _, text = self.on_terminal("run", self.zoo("clean/stable_failure"), NO_COLOR="1")
        self.assertIsNone(re.search(r"\x1b\[[0-9;]*m", text), repr(text))
        _, text = self.on_terminal("run", self.zoo("clean/stable_failure"))
        self.assertIsNotNone(re.search(r"\x1b\[[0-9;]*m", text), repr(text))

    def test_dumb_terminal(self):
        _, text = self.on_terminal("run", self.zoo("clean/stable_failure"), TERM="dumb")
        self.assertNotIn(ESCAPE, text)


PROJECT = """cmake_minimum_required(VERSION 3.14)
project(tiny LANGUAGES CXX)
enable_testing()
find_package(GTest REQUIRED)
include(GoogleTest)
set(CMAKE_CXX_STANDARD 17)
add_executable(plain_test plain_test.cc)
target_link_libraries(plain_test GTest::gtest_main)
gtest_discover_tests(plain_test)
add_executable(placed_test placed_test.cc)
target_link_libraries(placed_test GTest::gtest_main)
add_test(NAME placed COMMAND placed_test --word)
set_tests_properties(placed PROPERTIES
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/data ENVIRONMENT "GREETING=hello;EMPTY=")
add_executable(odd_test odd_test.cc)
target_link_libraries(odd_test GTest::gtest_main)
add_test(NAME odd COMMAND odd_test)
add_test(NAME script COMMAND ${CMAKE_COMMAND} -E true)
add_executable(unbuilt_test EXCLUDE_FROM_ALL plain_test.cc)
add_test(NAME unbuilt COMMAND unbuilt_test)
"""
PLAIN = """#include <gtest/gtest.h>
TEST(Plain, First) { SUCCEED(); }
TEST(Plain, Second) { SUCCEED(); }
"""
PLACED = """#include <gtest/gtest.h>
#include <cstdlib>
#include <fstream>
TEST(Placed, FindsItsFile) { EXPECT_TRUE(std::ifstream("here.txt").good()); }
TEST(Placed, IsGreeted) { EXPECT_STREQ(std::getenv("GREETING"), "hello"); }
TEST(Placed, EmptyIsThere) { EXPECT_STREQ(std::getenv("EMPTY"), ""); }
"""
ODD = r"""#include <gtest/gtest.h>
#include <cstdio>
TEST(Odd, Prints) {
  const char bytes[] = "\xff\xfe \x01 \x1b[31m ]]> <&\"' \xc3\xa9 \xed\xa0\x80 \r\n\0 end\n";
  std::fwrite(bytes, 1, sizeof bytes - 1, stdout);
  std::fflush(stdout);
}
TEST(Odd, FailsOddly) { FAIL() << "\xff ]]> <&\" \x01\x1b[2J"; }
"""


@unittest.skipUnless(shutil.which("ctest"), "ctest is not installed")
class CMakeBuild(gordian.Case):
    @classmethod
    def setUpClass(cls):
        """One build for all tests, kept: only its first run compiles."""
        cls.source = gordian.BUILD / "e2e_project"
        cls.build = cls.source / "build"
        (cls.source / "data").mkdir(parents=True, exist_ok=True)
        for name, text in (("CMakeLists.txt", PROJECT), ("plain_test.cc", PLAIN),
                           ("placed_test.cc", PLACED), ("odd_test.cc", ODD),
                           ("data/here.txt", "here\n")):
            path = cls.source / name
            if not path.exists() or path.read_text() != text:
                path.write_text(text)
        for command in (["cmake", "-S", cls.source, "-B", cls.build, "-G", "Ninja"],
                        ["cmake", "--build", cls.build]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def test_list(self):
        ran = self.gordian("list", self.build, "--json", "-")
        self.assertEqual(ran.code, 0, ran)
        names = {test["name"] for suite in ran.json()["suites"] for test in suite["tests"]}
        self.assertEqual(names, {"Plain.First", "Plain.Second", "Placed.FindsItsFile",
                                 "Placed.IsGreeted", "Placed.EmptyIsThere", "Odd.Prints",
                                 "Odd.FailsOddly"})

    def test_run_as_ctest_would(self):
        for isolation in ("none", "fork", "process"):
            with self.subTest(isolation=isolation):
                ran = self.gordian("run", self.build, "--isolate", isolation, "--json", "run.json")
                runs = json.loads((self.dir / "run.json").read_text())["runs"]
                by_name = {os.path.basename(run["target"]["binary"]): run for run in runs}
                placed, plain = by_name["placed_test"], by_name["plain_test"]
                self.assertEqual(set(gordian.outcomes(placed).values()), {"pass"}, ran.err)
                self.assertEqual(set(gordian.outcomes(plain).values()), {"pass"}, ran.err)
                self.assertEqual(placed["target"]["working_dir"], str(self.source / "data"))
                self.assertEqual(placed["target"]["args"], ["--word"])
                self.assertEqual(placed["target"]["origin"], "placed")
                self.assertEqual(len(plain["orders"][0]["order"]), 2)

    def test_what_is_left_out_is_said(self):
        ran = self.gordian("run", self.build)
        self.assertIn("unbuilt", ran.err)
        self.assertRegex(ran.err, r"cmake\b")

    def test_other_programs_do_not_spoil_the_exit_code(self):
        """ctest runs much that is no test binary we know; a build whose tests pass is a success."""
        ran = self.gordian("run", self.build, "--filter", "*-Odd.FailsOddly")
        self.assertIn("no test framework in it", ran.err, ran)
        self.assertEqual(ran.code, 0, ran)

    def test_odd_bytes_break_no_format(self):
        for isolation in ("none", "fork", "process"):
            with self.subTest(isolation=isolation):
                ran = self.gordian("run", self.build / "odd_test", "--json", "odd.json", "--junit",
                                   "odd.xml", "--isolate", isolation)
                self.assertEqual(ran.code, 1, ran)
                self.assertNotIn(ESCAPE, ran.err, "what a test prints must not act on a terminal")
                report = json.loads((self.dir / "odd.json").read_text(encoding="utf-8"))
                prints, fails = gordian.results(report)
                self.assertIn("]]> <&\"' \u00e9", prints["output"])
                self.assertIn(" end", prints["output"])
                self.assertIn("]]> <&", fails["message"])
                root = xml.etree.ElementTree.parse(self.dir / "odd.xml").getroot()
                self.assertEqual(len(list(root.iter("failure"))), 1)

    def test_replay_has_the_same_surroundings(self):
        self.gordian("run", self.build, "--json", "run.json")
        runs = json.loads((self.dir / "run.json").read_text())["runs"]
        placed = next(r for r in runs if r["target"]["binary"].endswith("placed_test"))
        replay = self.run_json("replay", placed["id"], code=0)
        self.assertEqual(replay["target"], placed["target"])


if __name__ == "__main__":
    gordian.main()
