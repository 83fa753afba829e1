#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Collection of data dependences without a rebuild, over the zoo.

In each witness of a guilty suite the last test reads the carrier that zoo/verdicts.json names from
the test that wrote it. And no pair of tests is excluded whose second test comes to another result
than alone when it is really run.
"""
import concurrent.futures
import json
import subprocess
import tempfile
import unittest

import gordian

VERDICTS = gordian.zoo_suites()
TOLD = gordian.BUILD / "trace" / "gordian_watch_suite"
# Kinds of state whose readers are seen by a watchpoint or by the call that asks for it.
KINDS = {"variable", "heap", "thread_local", "env", "cwd", "umask", "locale", "signal",
         "signal_mask", "fd", "rlimit", "timer", "flag", "child", "sysv"}
# Carriers that cannot be told by name, and why.
OTHERWISE = {
    "suite_fixture_once": "the object is made by the suite's set-up: the pointer to it is the state",
    "constant_patched": "constants are not compared between tests of an order",
    "stream_buffer": "the insides of a stream of the C library are told as the stream",
    "opened_by_earlier": "what is made on first use counts as what it was made as",
    "sample_cache": "likewise",
    "lazy_registry": "likewise",
}
# These come to other results each time: there is nothing to be excluded rightly.
RANDOM = {"nod"}


def told(suite, *words):
    """What the collector says, or None when it cannot start the binary."""
    binary = gordian.ZOO / suite["folder"] / suite["name"]
    with tempfile.TemporaryDirectory(prefix="gordian-watch-") as scratch:
        process = subprocess.run([TOLD, binary, *words], cwd=scratch, stdin=subprocess.DEVNULL,
                                 env=gordian.clean_environment(), capture_output=True, text=True,
                                 timeout=gordian.PATIENCE, check=False)
    return json.loads(process.stdout) if process.returncode == 0 else None


def in_parallel(work, items):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(zip(items, pool.map(work, items)))


class InOrder(unittest.TestCase):
    def test_the_victim_reads_the_carrier(self):
        cases = [(suite, dependence) for suite in VERDICTS if suite["class"] == "guilty"
                 for dependence in suite["dependences"]
                 if dependence["carrier"]["kind"] in KINDS and suite["name"] not in OTHERWISE]
        self.assertGreater(len(cases), 60)
        flows = in_parallel(lambda case: told(case[0], "order", *case[1]["witness"]), cases)
        for (suite, dependence), flow in flows:
            carrier = {key: dependence["carrier"][key] for key in ("kind", "name")}
            with self.subTest(suite=suite["name"], carrier=carrier):
                read = [state for edge in flow["dependences"]
                        if edge["reader"] == dependence["test"] for state in edge["states"]]
                self.assertIn(carrier, read)

    def test_sites_are_the_marked_lines(self):
        suite = next(s for s in VERDICTS if s["name"] == "global_int")
        witness = suite["dependences"][0]["witness"]
        source = (gordian.SOURCE / "zoo" / "guilty" / "global_int.cc").read_text().splitlines()
        line = {mark: next(i for i, text in enumerate(source, 1) if text.endswith(f"// {mark}"))
                for mark in ("WRITE", "READ")}
        edge, = told(suite, "order", *witness)["dependences"]
        self.assertEqual((edge["write"]["line"], edge["write"]["test"]), (line["WRITE"], witness[0]))
        self.assertEqual((edge["read"]["line"], edge["read"]["test"]), (line["READ"], witness[1]))

    def test_what_is_put_back_is_no_dependence(self):
        names = ["same_value_written", "global_restored", "swapped_back", "raii_guard",
                 "umask_restored", "cwd_restored", "local_static_constant"]
        suites = [s for s in VERDICTS if s["name"] in names]
        self.assertEqual(len(suites), len(names))
        for suite, flow in in_parallel(lambda suite: told(suite, "order"), suites):
            with self.subTest(suite=suite["name"]):
                self.assertEqual(flow["dependences"], [])


class Alone(unittest.TestCase):
    def test_no_pair_is_excluded_wrongly(self):
        suites = [s for s in VERDICTS
                  if s["folder"] not in RANDOM and s["tests"] and "framework" not in s]
        pairs = excluded = differing = 0
        for suite, flow in in_parallel(lambda suite: told(suite, "alone"), suites):
            if flow is None:
                self.assertEqual(suite["folder"], "hostile", suite["name"])
                continue
            with self.subTest(suite=suite["name"]):
                self.assertEqual(flow["check"]["wrongly_excluded"], [])
            pairs += flow["check"]["pairs"]
            excluded += flow["check"]["excluded"]
            differing += len(flow["check"]["differing"])
        print(f"{pairs} pairs, {differing} with another result, {excluded} excluded")
        self.assertGreater(differing, 80)
        self.assertGreater(excluded / pairs, 0.5)


if __name__ == "__main__":
    unittest.main()
