#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Traced builds of each framework: a guilty suite of the zoo, compiled with the flags that gordian
prints, shows its dependence and the variable that carries it."""
import tempfile
import unittest
from pathlib import Path

import gordian
import traced

ZOO = gordian.SOURCE / "zoo"
# framework: (suite, file with main() that need not be traced, libraries)
SUITES = {
    "catch2": ("fixture_static", "catch2/main.cc", []),
    "doctest": ("subcase_global", "doctest_main.cc", []),
    "boost": ("ledger", "boost/main.cc", ["-l:libboost_unit_test_framework.a"]),
    "cpputest": ("two_groups", "cpputest_main.cc", ["-lCppUTest"]),
}


def build(framework, directory):
    name, main, libraries = SUITES[framework]
    objects = [directory / "suite.o", directory / "main.o"]
    traced.must("g++", "-std=c++17", "-O1", "-g", "-DCATCH_CONFIG_EXTERNAL_INTERFACES",
                *traced.flags(), "-c", ZOO / framework / f"{name}.cc", "-o", objects[0])
    traced.must("g++", "-std=c++17", "-O1", "-c", ZOO / main, "-o", objects[1])
    traced.must("g++", *objects, *traced.flags("--link"), *libraries, "-o", directory / name)
    return directory / name


class TracedFrameworks(unittest.TestCase):
    def check(self, framework):
        here = {s["name"]: s for s in gordian.zoo_suites("guilty")
                if s.get("framework") == framework}
        if not here:
            self.skipTest(f"{framework} is not on this machine")
        suite = here[SUITES[framework][0]]
        with tempfile.TemporaryDirectory(prefix="gordian_e2e_") as scratch:
            binary = build(framework, Path(scratch))
            ran = gordian.gordian("detect", binary, "--algorithm", "dataflow", "--both-ways",
                                  "--trace", "--no-db", "--json", "-", cwd=scratch)
        self.assertEqual(ran.code, 1, ran)
        facts = ran.json()
        self.assertEqual({d["test"] for d in facts["dependences"]},
                         {d["test"] for d in suite["dependences"]})
        states = {state["name"] for flow in facts["data_flows"] for state in flow["states"]}
        for dependence in suite["dependences"]:
            self.assertIn(dependence["carrier"]["name"], states)

    def test_catch2(self):
        self.check("catch2")

    def test_doctest(self):
        self.check("doctest")

    def test_boost(self):
        self.check("boost")

    def test_cpputest(self):
        self.check("cpputest")


if __name__ == "__main__":
    gordian.main()
