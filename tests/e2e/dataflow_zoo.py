#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Data dependences of the zoo, collected on the binaries as they are, and refined: the examples of
the literature give its verdicts, and nothing is reported that is not true."""
import concurrent.futures
import tempfile
import unittest
from pathlib import Path

import gordian

VERDICTS = gordian.zoo_suites()
LITERATURE = ("data_source", "joint_initialisation", "option_builder", "one_display")


def search(suite, *words):
    with tempfile.TemporaryDirectory(prefix="gordian-flow-") as scratch:
        binary = gordian.ZOO / suite["folder"] / suite["name"]
        found = gordian.gordian("detect", binary, "--algorithm", "dataflow", "--timeout", "1s",
                                "--no-db", "--json", "-", *words, cwd=scratch)
        return found.json()


def listed(suite):
    return {d["test"] for d in suite.get("dependences", [])}


class Literature(unittest.TestCase):
    def test_the_verdicts_of_the_papers(self):
        for suite in VERDICTS:
            if suite["name"] not in LITERATURE:
                continue
            with self.subTest(suite=suite["name"]):
                found = search(suite, "--both-ways")
                self.assertEqual({d["test"] for d in found["dependences"]}, listed(suite))

    def test_the_graph_of_the_data_source(self):
        """Both users read what the first test made; the cycle of the third edge is said."""
        suite = next(s for s in VERDICTS if s["name"] == "data_source")
        flow = search(suite)["data_flows"][0]
        edges = {(d["reader"].split(".")[1], d["writer"].split(".")[1]): d
                 for d in flow["dependences"]}
        self.assertIn(("SetCloneString", "SetField"), edges)
        self.assertIn(("ToString", "SetField"), edges)
        self.assertEqual(edges["SetCloneString", "SetField"]["verdict"], "manifest")
        states = {flow["states"][s]["name"] for d in edges.values() for s in d["states"]}
        self.assertIn("g_data", states)


    def test_of_two_that_initialise_only_the_one_that_counts_is_manifest(self):
        """Turned around, the edge of the third test to the first one closes a cycle: it waits for the
        harmless one between the first two."""
        suite = next(s for s in VERDICTS if s["name"] == "joint_initialisation")
        flow = search(suite)["data_flows"][0]
        verdicts = {(d["reader"].split(".")[1][:2], d["writer"].split(".")[1][:2]): d["verdict"]
                    for d in flow["dependences"]}
        self.assertEqual(verdicts, {("T2", "T1"): "not_manifest", ("T3", "T1"): "not_manifest",
                                    ("T3", "T2"): "manifest"})


class Truth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.suites = [s for s in VERDICTS if s["class"] in ("guilty", "clean")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.found = list(pool.map(lambda s: search(s, "--both-ways"), cls.suites))

    def test_nothing_is_reported_that_is_not_listed(self):
        for suite, found in zip(self.suites, self.found):
            with self.subTest(suite=suite["name"]):
                self.assertLessEqual({d["test"] for d in found["dependences"]}, listed(suite))

    def test_most_are_found(self):
        """The others leave no trace that is seen, or need more than two tests."""
        guilty = [(s, f) for s, f in zip(self.suites, self.found) if s["class"] == "guilty"]
        wanted = sum(len(listed(s)) for s, _ in guilty)
        found = sum(len(f["dependences"]) for _, f in guilty)
        missed = [s["name"] for s, f in guilty if len(f["dependences"]) < len(listed(s))]
        print(f"{found} of {wanted} dependent tests; not all of {' '.join(missed)}")
        self.assertGreater(found, wanted * 9 // 10)


if __name__ == "__main__":
    gordian.main()
