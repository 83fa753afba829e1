#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Snapshots work the same whichever way written pages are found, and where none can be, forks do.

The ways are forced by GORDIAN_SNAPSHOT_BACKEND, or taken from gordian by a seccomp filter as in a
container (tests/snapshots/confined.cc). `--verify-isolation` compares all memory after each test
and every outcome with that of a fresh process.
"""
import concurrent.futures
import re
import shutil
import subprocess

import gordian
import real
import snapshot
import zoo_outcomes

WAYS = ("userfaultfd", "pagemap")
MEMORY_SUITE = gordian.BUILD / "snapshots" / "gordian_memory_suite"
CONFINED = gordian.BUILD / "snapshots" / "gordian_confined"


def forced(way, **more):
    return gordian.clean_environment(GORDIAN_SNAPSHOT_BACKEND=way, **more)


def notices(run):
    return [notice["text"] for notice in run["notices"]]


def rollbacks(run):
    """How many were compared, by the notice of --verify-isolation."""
    for text in notices(run):
        found = re.search(r"memory compared after (\d+) tests", text)
        if found:
            return int(found.group(1))
    return None


def works(way):
    """Whether this machine has it at all; gordian's own opinion, which other tests challenge."""
    binary = gordian.ZOO / "guilty" / "global_int"
    ran = gordian.gordian("run", binary, "--isolate", "snapshot", "--no-db", "--json", "-",
                          cwd="/", env=forced(way))
    return ran.json()["header"]["snapshot_backend"] == way


class Backends(gordian.Case):
    def verified(self, binary, way, *words, code=None, **more):
        """A run in which no page differs from the snapshot after any rollback."""
        run = self.run_json("run", binary, "--isolate", "snapshot", "--verify-isolation",
                            "--no-db", *words, code=code, env=forced(way, **more))
        self.assertEqual([text for text in notices(run) if "bug of Gordian" in text], [])
        return run

    def for_each_way(self, check):
        for way in WAYS:
            with self.subTest(way=way):
                if not works(way):
                    self.skipTest(f"this machine has no {way}")
                check(way)

    def test_damaged_memory_comes_back(self):
        def check(way):
            run = self.verified(MEMORY_SUITE, way, "-j1", code=0)
            self.assertEqual(run["header"]["isolation_used"], "snapshot")
            self.assertEqual(run["header"]["snapshot_backend"], way)
            self.assertGreaterEqual(rollbacks(run), 35)
        self.for_each_way(check)

    def test_the_damage_is_real(self):
        run = self.run_json("run", MEMORY_SUITE, "--isolate", "none", "--no-db", code=1)
        self.assertEqual(list(gordian.outcomes(run).values())[:2], ["pass", "fail"])

    def test_locked_memory_means_processes(self):
        """MADV_DONTNEED tells: it refuses locked memory, and forks have none."""
        run = self.run_json("run", MEMORY_SUITE, "--filter", "*/0", "--isolate", "snapshot",
                            "--no-db", code=1,
                            env=gordian.clean_environment(MEMORY_SUITE="locked"))
        self.assertEqual(run["header"]["isolation_used"], "process")
        self.assertTrue([t for t in notices(run) if "memory is locked" in t], notices(run))
        self.assertEqual(gordian.outcomes(run)["Round/Memory.IsEmptied/0"], "fail")

    def test_the_zoo_and_real_suites_show_no_difference(self):
        suites = [s for s in zoo_outcomes.suites()
                  if s["tests"] and s.get("listable", True) and not s.get("nondeterministic")]
        binaries = [gordian.ZOO / s["folder"] / s["name"] for s in gordian.every(2, suites)]
        if real.SOURCES.exists():
            binaries += real.build_all(real.SOME).values()
        total = 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = pool.map(lambda binary: self.verified(binary, "pagemap", "--timeout",
                                                         zoo_outcomes.TIMEOUT), binaries)
            for binary, run in zip(binaries, runs, strict=True):
                with self.subTest(binary=binary):
                    different = [t for t in notices(run) if "in a fresh process: it is not" in t]
                    self.assertEqual(different, [])
                    total += rollbacks(run) or 0
        self.assertGreater(total, 150)

    def test_polluters_of_the_zoo_are_undone(self):
        """The other way is for the test of snapshots to try."""
        def polluted(suite):
            return snapshot.run_order(gordian.ZOO / snapshot.name_of(suite),
                                      snapshot.polluted_order(suite), way="pagemap")
        undone = 0
        for suite, ran in snapshot.Snapshot.for_all(polluted, gordian.every(2, snapshot.suites())):
            with self.subTest(suite=snapshot.name_of(suite)):
                self.assertIn(ran.code, (0, 1), ran)
                wanted = zoo_outcomes.expected(suite, "snapshot")
                seen = [r for r in gordian.results(ran.json()) if r["test"] in wanted]
                self.assertEqual([(r["test"], r["outcome"]) for r in seen],
                                 [(r["test"], wanted[r["test"]]) for r in seen], ran.err)
                undone += sum(r["fell_back"] is None for r in seen)
        self.assertGreater(undone, 250)

    def with_part_left_out(self, part, test, way):
        """The outcome of the second of four equal tests."""
        tests = [f"Round/Memory.{test}/{i}" for i in range(4)]
        others = [f"Round/Memory.IsWritten/{i}" for i in range(4)]  # so that a checkpoint pays
        ran = snapshot.run_order(MEMORY_SUITE, tests + others, without=part, way=way)
        return gordian.outcomes(ran.json())[tests[1]]

    def test_what_looks_for_emptied_pages_is_missed(self):
        """Pages that were read again, by `pagemap` only; those of constants, by both."""
        def check(way):
            read_again = self.with_part_left_out("emptied", "IsEmptiedAndRead", way)
            self.assertEqual(read_again, "fail" if way == "pagemap" else "pass")
            self.assertEqual(
                self.with_part_left_out("threads", "OfConstantsIsEmptiedByAThread", way), "fail")
        self.for_each_way(check)

    def test_too_little_memory_means_forks(self):
        run = self.run_json("run", MEMORY_SUITE, "--filter", "*.IsWritten/*", "--isolate",
                            "snapshot", "--no-db", code=0, env=gordian.clean_environment(MEMORY_SUITE="short"))
        self.assertEqual(run["header"]["isolation_used"], "fork")
        self.assertIsNone(run["header"]["snapshot_backend"])
        self.assertTrue([t for t in notices(run) if "not enough memory" in t], notices(run))
        self.assertEqual(gordian.outcomes(run)["Round/Memory.IsWritten/3"], "pass")

    def test_a_word_that_names_nothing_is_refused(self):
        ran = self.gordian("run", self.zoo("guilty/global_int"), "--no-db", env=forced("magic"))
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("pagemap", ran.err)


class Confined(gordian.Case):
    """gordian with system calls taken away, and without root's rights."""

    def setUp(self):
        super().setUp()
        self.dir.chmod(0o777)
        for path in (gordian.BIN, gordian.BIN.parent / "libgordian-agent.so", CONFINED,
                     self.zoo("guilty/global_int"), MEMORY_SUITE):
            shutil.copy(path, self.dir)

    def confined(self, *words, binary="global_int", isolate="snapshot", env=None):
        """A run of the copies, as nobody."""
        ran = subprocess.run(
            ["./gordian_confined", "--nobody", *words, "./gordian", "run", f"./{binary}",
             "--isolate", isolate, "--no-db", "--json", "-", "-j2"], cwd=self.dir,
            env=env or gordian.clean_environment(), stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=gordian.PATIENCE, check=False)
        self.assertTrue(ran.stdout, ran.stderr)
        return gordian.Ran(words, ran).json()

    def assert_forks_because(self, run, words):
        self.assertEqual(run["header"]["isolation_used"], "fork")
        self.assertTrue([text for text in notices(run) if words in text], notices(run))
        self.assertEqual(set(gordian.outcomes(run).values()), {"pass"})

    def test_in_a_container_snapshots_go_by_pagemap(self):
        for binary in ("global_int", "gordian_memory_suite"):
            run = self.confined("--docker", binary=binary)
            self.assertEqual(run["header"]["isolation_used"], "snapshot", notices(run))
            self.assertEqual(run["header"]["snapshot_backend"], "pagemap")
            fresh = self.confined("--docker", binary=binary, isolate="process")
            self.assertEqual(gordian.outcomes(run), gordian.outcomes(fresh))

    def test_an_old_profile_denies_close_range_too(self):
        run = self.confined("--docker", "--deny", "close_range")
        self.assertEqual(run["header"]["snapshot_backend"], "pagemap")

    def test_without_rights_the_best_way_is_still_used(self):
        run = self.confined()
        self.assertEqual(run["header"]["snapshot_backend"],
                         "userfaultfd" if works("userfaultfd") else "pagemap")

    def test_system_calls_that_cannot_be_watched_mean_forks(self):
        self.assert_forks_because(self.confined("--deny", "syscall_user_dispatch"),
                                  "system calls cannot be watched")

    def test_memory_that_cannot_be_read_means_forks(self):
        self.assert_forks_because(self.confined("--deny", "process_vm_readv"),
                                  "no copy of the process can be made and read")

    def test_doctor_says_so(self):
        ran = subprocess.run(
            ["./gordian_confined", "--nobody", "--docker", "./gordian", "doctor", "./global_int"],
            cwd=self.dir, env=gordian.clean_environment(), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=gordian.PATIENCE, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(ran.stdout, r"less +snapshots by userfaultfd: the machine lacks it")
        self.assertRegex(ran.stdout, r"ok +snapshots by pagemap: work")
        self.assertRegex(ran.stdout, r"ok +isolation: snapshot, written pages by pagemap")


if __name__ == "__main__":
    gordian.main()
