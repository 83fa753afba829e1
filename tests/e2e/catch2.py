#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What is special to Catch2: tags, hidden tests, its own counting, its random order, both versions.

frameworks.py checks the zoo's verdicts; here the same sources also run with version 3.
"""
import json
import os
import re
import subprocess
import unittest
from html import unescape

import catch2_sources
import gordian

VERDICTS = {s["name"]: s
            for s in json.loads((gordian.SOURCE / "zoo" / "verdicts.json").read_text())["suites"]
            if s.get("framework") == "catch2"}
SEEDS = (0, 1, 42, 4294967295)
ZOO = gordian.ZOO / "catch2"
SOURCES = gordian.SOURCE / "zoo" / "catch2"


# Each test writes its name down, so that the order of a run can be seen from outside.
LOGGED = r"""
#include "catch.h"
#include <cstdio>
#include <cstdlib>
static void note(const char* name) {
  FILE* file = std::fopen(std::getenv("ORDER_LOG"), "a");
  std::fprintf(file, "%s\n", name);
  std::fclose(file);
  CHECK(true);
}
struct Fixture {};
TEST_CASE("alpha", "[x]") { note("alpha"); }
TEST_CASE("beta, with a comma", "[Y][x]") { note("beta, with a comma"); }
TEST_CASE_METHOD(Fixture, "gamma") { note("gamma"); }
TEST_CASE_METHOD(Fixture, "delta", "[z]") { note("delta"); }
TEST_CASE("\xc3\xa4 beyond ASCII", "[x][a][b]") { note("\xc3\xa4 beyond ASCII"); }
TEST_CASE("hidden", "[.]") { note("hidden"); }
TEST_CASE("zeta") { note("zeta"); }
TEST_CASE("eta", "[!mayfail]") { note("eta"); }
"""


class Checks:
    """For one version of the framework: `binary(name)` gives a suite of the zoo."""

    def names_run(self, binary, *words):
        ran = self.gordian("run", binary, "--no-db", "--json", "-", *words)
        self.assertTrue(ran.out, ran)
        return list(gordian.outcomes(ran.json()))

    def test_outcomes(self):
        for name in self.names:
            with self.subTest(suite=name):
                verdict = VERDICTS[name]
                for how in ("snapshot", "fork", "process"):
                    ran = self.run_json("run", self.binary(name), "--no-db", "--isolate", how)
                    self.assertEqual(gordian.outcomes(ran), {**verdict["default"],
                                                             **verdict["alone"]}, how)
                ran = self.run_json("run", self.binary(name), "--no-db", "--isolate", "none")
                self.assertEqual(gordian.outcomes(ran), verdict["default"])

    def test_dependences_and_carriers(self):
        for name in self.names:
            with self.subTest(suite=name):
                ran = self.gordian("detect", self.binary(name), "--budget", "30s", "--json", "-",
                                   "--db", f"{name}.db")
                found = ran.json()["dependences"]
                wanted = VERDICTS[name].get("dependences", [])
                self.assertEqual([(d["test"], d["role"], d["witness"]) for d in found],
                                 [(d["test"], d["role"], d["witness"]) for d in wanted], ran)
                if wanted:
                    self.explained(name, wanted[0]["carrier"])

    def explained(self, name, wanted):
        ran = self.gordian("explain", "--db", f"{name}.db", "--json", "-")
        explanation = ran.json()["explanations"][0]
        self.assertTrue(explanation["proved"], ran)
        carrier, = explanation["carriers"]
        self.assertEqual((carrier["kind"], carrier["name"]), (wanted["kind"], wanted["name"]))
        source = (SOURCES / f"{name}.cc").read_text().splitlines()
        for site, mark in (("write", "// WRITE"), ("read", "// READ")):
            self.assertIn(mark, source[carrier[site]["line"] - 1], carrier[site])

    def test_filters_by_tags(self):
        binary = self.binary("section_registers")
        tests = VERDICTS["section_registers"]["tests"]
        self.assertEqual(self.names_run(binary, "--filter", "[PLUGINS]"), tests)
        self.assertEqual(self.names_run(binary, "--filter", "[slow][plugins]"), [tests[1]])
        self.assertEqual(self.names_run(binary, "--filter", "-[slow]"), [tests[0], tests[2]])
        self.assertEqual(self.names_run(binary, "--filter", "[plugins]-[slow]:names*"), [tests[0]])

    def test_names_with_signs_select_their_tests(self):
        binary = self.binary("expected_failures")
        for name in VERDICTS["expected_failures"]["tests"]:
            self.assertEqual(self.names_run(binary, "--filter", name), [name])
            (self.dir / "order").write_text(f"# one\n{name}\n")
            self.assertEqual(self.names_run(binary, "--order", "order"), [name])

    def test_first_failed_check(self):
        ran = self.run_json("run", self.binary("expected_failures"), "--no-db")
        by_test = {r["test"]: r for r in gordian.results(ran)}
        source = (SOURCES / "expected_failures.cc").read_text().splitlines()
        def check(test, message, line):
            self.assertTrue(by_test[test]["message"].startswith(message), by_test[test])
            self.assertIn(line, source[by_test[test]["line"] - 1])
        check("fails - \"by hand\" [not a tag]", "explicit failure\nbecause of 7", "FAIL(")
        check("throws: an 'unexpected' exception, #1",
              "threw an unexpected exception\nnot for us", "TEST_CASE(\"throws")
        check("should fail, and does not", "the test was expected to fail", "should fail, and")
        ran = self.run_json("run", self.binary("fixture_restores"), "--no-db")
        failed = gordian.failure_of(gordian.results(ran)[2])
        self.assertEqual(failed["message"], "CHECK( g_depth == 2 )\nwith expansion:\n  1 == 2")

    def test_hidden_tests(self):
        binary = self.binary("expected_failures")
        self.assertNotIn("is hidden", self.names_run(binary))
        self.assertIn("is hidden", self.names_run(binary, "--also-run-disabled"))

    def test_the_programs_own_arguments(self):
        binary = self.binary("section_registers")
        tests = VERDICTS["section_registers"]["tests"]
        self.assertEqual(self.names_run(binary, "--", "[slow]"), [tests[1]])
        self.assertEqual(self.names_run(binary, "--", "--order", "rand", "--rng-seed", "1"), tests)
        self.assertEqual(self.names_run(binary, "--", "--order", "lex"), sorted(tests))
        failing = self.binary("expected_failures")
        self.assertEqual(self.names_run(failing, "--isolate", "none", "--", "--abort"),
                         VERDICTS["expected_failures"]["tests"])

    def test_ctest_tests_of_one_program_are_one_target(self):
        """As catch_discover_tests registers them: escaped names, a prefix, a report for each."""
        binary = self.binary("expected_failures")
        lines = []
        for i, name in enumerate(VERDICTS["expected_failures"]["tests"]):
            spec = re.sub(r"([\\,\[\]])", r"\\\1", name)
            words = [binary, spec, "--reporter", "xml", "--out", f"report{i}"]
            lines.append(f"add_test([==[unit/{name}]==] " + " ".join(f"[==[{w}]==]" for w in words)
                         + ")")
        (self.dir / "CTestTestfile.cmake").write_text("\n".join(lines))
        ran = self.gordian("list", self.dir, "--json")
        suite, = ran.json()["suites"]
        self.assertEqual(suite["target"]["args"], [])
        self.assertEqual([t["name"] for t in suite["tests"] if t["will_run"]],
                         VERDICTS["expected_failures"]["tests"])

    def test_snapshots_are_not_given_up(self):
        ran = self.run_json("run", self.binary("generators_local"), "--no-db", "--isolate",
                            "snapshot", "--repeat", "3")
        reasons = {r["fell_back"] for order in ran["orders"] for r in order["results"]}
        self.assertLessEqual(reasons, {None, "no snapshot was worth taking"})

    def order_by_framework(self, binary, seed):
        done = subprocess.run([binary, "--order", "rand", "--rng-seed", str(seed), "-r", "xml"],
                              capture_output=True, text=True, check=False)
        return [unescape(n) for n in re.findall(r'<TestCase name="([^"]*)"', done.stdout)]

    def test_seeds_lead_to_the_order_of_the_framework(self):
        """What the framework runs by itself stands in what was run for the seed, as one piece."""
        source = self.dir / "logged.cc"
        source.write_text(LOGGED)
        binary = self.compiled(source)
        log = self.dir / "log"
        env = gordian.clean_environment(ORDER_LOG=str(log))
        for seed in SEEDS:
            with self.subTest(seed=seed):
                log.write_text("")
                subprocess.run([binary, "--order", "rand", "--rng-seed", str(seed)], env=env,
                               capture_output=True, check=True)
                wanted = log.read_text()
                self.assertEqual(len(wanted.splitlines()), 7)
                log.write_text("")
                ran = self.gordian("detect", binary, "--from-seed", seed, "--no-db", "--jobs", "1",
                                   "--private-fs", "off", env=env)
                self.assertEqual(ran.code, 0, ran)
                self.assertIn("\n" + wanted, "\n" + log.read_text())

    def test_a_seed_leads_to_a_witness(self):
        binary = self.binary("section_registers")
        wanted = VERDICTS["section_registers"]["dependences"][0]
        seed = next(n for n in range(1, 100)
                    if self.order_by_framework(binary, n).index(wanted["witness"][0])
                    < self.order_by_framework(binary, n).index(wanted["test"]))
        ran = self.gordian("detect", binary, "--from-seed", seed, "--no-db", "--json", "-")
        found, = ran.json()["dependences"]
        self.assertEqual((found["witness"], found["found_by"]), (wanted["witness"], "given orders"))


class Version2(Checks, gordian.Case):
    names = sorted(VERDICTS)

    def compiled(self, source):
        self.binary("section_registers")
        binary = self.dir / "logged"
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-O0", "-w", f"-I{SOURCES}",
                        source, "-o", binary, gordian.ZOO / "libzoo_catch2_main.a"], check=True)
        return binary

    def binary(self, name):
        binary = ZOO / name
        if not binary.exists():
            self.skipTest("the zoo was built without Catch2 2 (tools/setup test)")
        return binary


class Version3(Checks, gordian.Case):
    names = ["crash_after_close", "expected_failures", "fixture_restores", "generators_local",
             "listener_prepares", "section_registers"]

    @classmethod
    def setUpClass(cls):
        cls.library, why = catch2_sources.version3()
        if cls.library is None:
            raise unittest.SkipTest(why)
        sources = [SOURCES / f"{name}.cc" for name in cls.names]
        cls.binaries = dict(zip(cls.names, cls.library.programs(sources)))

    def binary(self, name):
        return self.binaries[name]

    def compiled(self, source):
        binary = self.dir / "logged"
        return catch2_sources.compiled(binary, [source], self.library.include, f"-I{SOURCES}",
                                       self.library.object)

    def test_shared_library(self):
        name = "section_registers"
        binary = self.library.program(SOURCES / f"{name}.cc", shared=True)
        ran = self.run_json("run", binary, "--no-db", "--isolate", "none")
        self.assertEqual(gordian.outcomes(ran), VERDICTS[name]["default"])
        ran = self.gordian("detect", binary, "--budget", "30s", "--json", "-", "--no-db")
        self.assertEqual([d["witness"] for d in ran.json()["dependences"]],
                         [d["witness"] for d in VERDICTS[name]["dependences"]])


if __name__ == "__main__":
    gordian.main()
