#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""A suite of Catch2 that we did not write: the tests of Debian's spdlog.

In the default order they pass; under --order rand most runs die of SIGSEGV half way, because
spdlog::drop_all() takes the default logger away, which the tests of [cfg] use. What is said here of
witnesses was checked by hand, and is checked again with nothing but the framework's own options.
GORDIAN_SPDLOG_TESTS names a test program that is built already.
"""
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

import catch2_sources
import gordian

SEEDS = range(1, 40)
REGISTRY = "spdlog::details::registry::instance()::s_instance"


class Spdlog(gordian.Case):
    @classmethod
    def setUpClass(cls):
        given = os.environ.get("GORDIAN_SPDLOG_TESTS")
        cls.binary, why = (Path(given), "") if given else catch2_sources.spdlog_tests()
        if cls.binary is None:
            raise unittest.SkipTest(why)

    def by_framework(self, *words):
        """How the program itself ends."""
        with tempfile.TemporaryDirectory() as scratch:
            return subprocess.run([self.binary, *words], cwd=scratch, capture_output=True,
                                  text=True, check=False)

    def ends_in_order(self, witness):
        """Its end when these two tests run in this order, by a seed that the framework sorts so."""
        spec = ",".join(witness)
        for seed in SEEDS:
            shuffle = ("--order", "rand", "--rng-seed", str(seed))
            names = self.by_framework(spec, *shuffle, "--list-test-names-only").stdout.split("\n")
            if [name for name in names if name] == witness:
                return self.by_framework(spec, *shuffle).returncode
        return self.fail(f"no seed gives {witness}")

    def test_a_seed_that_crashes_leads_to_a_witness(self):
        seed = next(n for n in SEEDS if self.by_framework(
            "--order", "rand", "--rng-seed", str(n)).returncode == -signal.SIGSEGV)
        ran = self.gordian("detect", self.binary, "--from-seed", seed, "--budget", "90s", "--json",
                           "-", "--no-db", patience=300)
        found = ran.json()["dependences"]
        crashes = [d for d in found if d["observed"]["outcome"] == "crash"]
        self.assertTrue(crashes, ran)
        for dependence in crashes:
            witness = dependence["witness"]
            self.assertEqual((dependence["role"], len(witness)), ("victim", 2), dependence)
            self.assertEqual(self.ends_in_order(witness), -signal.SIGSEGV, witness)
            self.assertEqual(self.by_framework(witness[1]).returncode, 0)

    def test_dependents_of_registry_and_configuration(self):
        """Every pair of these 24 tests, although most orders die half way; and what carries."""
        ran = self.gordian("detect", self.binary, "--filter", "[cfg]:[registry]", "--budget", "240s",
                           "--json", "-", patience=400)
        facts = ran.json()
        self.assertEqual(facts["search"]["complete_k"], 2, ran)
        by_test = {d["test"]: d for d in facts["dependences"]}
        crashing = {t for t, d in by_test.items() if d["observed"]["outcome"] == "crash"}
        self.assertLessEqual({"argv2", "argv3", "argv5", "argv6", "argv7", "level-not-set-test4",
                              "level-not-set-test5", "restore-to-default"}, crashing)
        for test in crashing:
            self.assertIn("drop_all", by_test[test]["polluters"])
            self.assertEqual(by_test[test]["cleaners"], ["env"], "it sets a default logger")
            self.assertEqual(self.ends_in_order(["drop_all", test]), -signal.SIGSEGV)
        self.assertEqual(by_test["drop-default"]["observed"]["message"].splitlines()[-1],
                         "logger with name 'null_logger' already exists")
        self.carried_by_the_registry(by_test["restore-to-default"])

    def carried_by_the_registry(self, dependence):
        ran = self.gordian("explain", dependence["id"], "--json", "-", patience=300)
        explanation, = ran.json()["explanations"]
        self.assertTrue(explanation["proved"], ran)
        self.assertTrue(all(c["name"].startswith(REGISTRY) for c in explanation["carriers"]), ran)


if __name__ == "__main__":
    gordian.main()
