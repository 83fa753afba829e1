#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The carriers of the zoo: for every guilty suite the one that zoo/verdicts.json names, with its kind,
both values and both lines, proved; and nothing named in clean suites."""
import concurrent.futures
import tempfile
import unittest
from pathlib import Path

import gordian


def key_of(suite):
    return suite["folder"] + "/" + suite["name"]


def lines_of(source, mark):
    """(file, line) of each that ends with the mark: sections may write in several places."""
    lines = source.read_text().splitlines()
    places = [(source.name, i) for i, line in enumerate(lines, 1) if line.endswith(mark)]
    assert places, f"{source}: no line ends with {mark}"
    return places


def explanations(suite):
    """The explanations of what detect finds in a suite."""
    with tempfile.TemporaryDirectory(prefix="gordian-explain-") as scratch:
        binary = gordian.ZOO / suite["folder"] / suite["name"]
        found = gordian.gordian("detect", binary, "--timeout", "1s", "--json", "-", cwd=scratch)
        if not found.json()["dependences"]:
            return []
        explained = gordian.gordian("explain", "--json", "-", cwd=scratch)
        assert explained.code in (0, 1), explained
        return explained.json()["explanations"]


class Carriers(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.suites = gordian.zoo_suites("guilty")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.explained = dict(zip([key_of(s) for s in cls.suites],
                                     pool.map(explanations, cls.suites)))

    def matched(self):
        """(suite, dependence as wanted, explanation) for all that detect found by the same tests."""
        for suite in self.suites:
            for wanted in suite["dependences"]:
                for explanation in self.explained[key_of(suite)]:
                    if explanation["witness"] == wanted["witness"]:
                        yield suite, wanted, explanation

    def test_other_polluters_have_the_same_carrier(self):
        """Where detect found the test to depend on others than those listed."""
        exact = [(key_of(suite), explanation["id"]) for suite, _, explanation in self.matched()]
        for suite in self.suites:
            names = {name for d in suite["dependences"]
                     for name in (d["carrier"]["name"], *d["carrier"].get("also", []))}
            for explanation in self.explained[key_of(suite)]:
                if (key_of(suite), explanation["id"]) not in exact:
                    with self.subTest(suite=suite["name"], witness=explanation["witness"]):
                        self.assertTrue({c["name"] for c in explanation["carriers"]} <= names)

    def test_every_suite_is_explained(self):
        self.assertEqual([name for name, found in self.explained.items() if not found], [])

    def test_the_carrier_is_the_expected_one(self):
        for suite, wanted, explanation in self.matched():
            carrier = wanted["carrier"]
            with self.subTest(suite=suite["name"], witness=wanted["witness"]):
                if carrier.get("proof", "proved") == "none":
                    self.assertFalse(explanation["proved"])
                    continue
                names = [Path(c["name"]).name if c["kind"] == "file" else c["name"]
                         for c in explanation["carriers"]]
                self.assertIn(carrier["name"], names, explanation["why_not"])
                got = explanation["carriers"][names.index(carrier["name"])]
                self.assertEqual(got["kind"], carrier["kind"])
                self.assertEqual(got["proved"], carrier.get("proof", "proved") == "proved",
                                 explanation["why_not"])
                if got["proved"]:
                    self.assertEqual(len(explanation["carriers"]), 1, names)
                for value in ("old", "new"):
                    if carrier[value] is not None:
                        self.assertEqual(got[value], carrier[value])

    def test_the_lines_are_the_expected_ones(self):
        for suite, wanted, explanation in self.matched():
            carrier = wanted["carrier"]
            source = gordian.SOURCE / "zoo" / suite["folder"] / f"{suite['name']}.cc"
            for got in explanation["carriers"]:
                name = Path(got["name"]).name if got["kind"] == "file" else got["name"]
                if name != carrier["name"] or not got["proved"]:
                    continue
                for site in ("write", "read"):
                    mark = carrier[f"{site}_line"]
                    with self.subTest(suite=suite["name"], witness=wanted["witness"], site=site):
                        if mark is None:
                            continue
                        self.assertIsNotNone(got[site])
                        self.assertIn((Path(got[site]["file"]).name, got[site]["line"]),
                                      lines_of(source, mark))

    def test_most_are_proved(self):
        """Words of suspicion everywhere would pass the tests above."""
        proved = [explanation["proved"] for _, _, explanation in self.matched()]
        self.assertGreater(sum(proved), 0.8 * len(proved))


class Clean(unittest.TestCase):
    def test_nothing_is_named(self):
        clean = gordian.every(3, gordian.zoo_suites("clean"))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for suite, found in zip(clean, pool.map(explanations, clean)):
                with self.subTest(suite=suite["name"]):
                    self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
