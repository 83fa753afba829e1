# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What every section needs: the programs, the suites, a scratch directory, and how to call them."""
import json
import random
import shutil
import subprocess
from pathlib import Path

import measure
from measure import Contender, Failed
from suites import generate


class Lab:
    def __init__(self, programs, directory, quick, progress, just_built):
        self.gordian = programs / "gordian"
        self.pairs = programs / "bench_pairs"
        self.loop = programs / "bench_spawn_loop"
        self.shuffle_loop = programs / "bench_shuffle_loop"
        self.directory = Path(directory)
        self.scratch = self.directory / "scratch"
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.quick = quick
        self.just_built = just_built
        self.progress = progress
        self.suites = {}
        self.seeds = set()

    def build(self, names):
        self.suites = generate.Generator(self.directory, self.progress).build(names)

    def private_files(self, suite):
        """Whether this machine allows a private view of the file system."""
        return subprocess.run(
            [self.gordian, "run", "--no-db", "--private-fs", "on", "--filter", "Suite000.Test00",
             self.suites[suite]], cwd=self.scratch, capture_output=True).returncode == 0

    def pick(self, full, quick):
        return quick if self.quick else full

    def race(self, contenders, rounds):
        return measure.race(contenders, rounds, self.progress)

    # How to call each contender.

    def bare(self, name, suite, output="/dev/null", rounds=1000):
        return Contender(name, lambda: measure.timed([self.suites[suite]], self.scratch, output),
                         rounds)

    def gordian_run(self, name, suite, options, output="/dev/null", rounds=1000, words=(),
                    earlier_runs=1):
        """Unless --no-db is given, stores the run in a database with so many earlier ones."""
        self.check_gordian(suite, options)
        argv = [self.gordian, "run", *options, *words, self.suites[suite]]
        if "--no-db" in options:
            return Contender(name, lambda: measure.timed(argv, self.scratch, output), rounds)
        database = self.scratch / "runs.db"
        argv[2:2] = ["--db", database]
        seed = self.seed_database(suite, earlier_runs)

        def run():
            shutil.copyfile(seed, database)
            return measure.timed(argv, self.scratch, output)
        return Contender(name, run, rounds)

    def seed_database(self, suite, runs):
        seed = self.scratch / f"seed-{suite}-{runs}.db"
        if seed not in self.seeds:
            seed.unlink(missing_ok=True)
            for _ in range(runs):
                measure.timed([self.gordian, "run", "--isolate", "none", "--db", seed,
                               self.suites[suite]], self.scratch)
            self.seeds.add(seed)
        return seed

    def fresh_processes(self, name, suite, filters, jobs, rounds=1000):
        lines = self.scratch / f"filters-{len(filters)}-{suite}.txt"
        lines.write_text("\n".join(filters) + "\n")
        self.check_filter(suite, filters[-1])
        argv = [self.loop, str(jobs), lines, self.suites[suite]]
        return Contender(name, lambda: measure.reported(argv, self.scratch,
                                                        lambda said: said["seconds"]), rounds)

    def all_pairs(self, name, suite, tests, shape, jobs, files="shared", rounds=1000):
        """With the time to reach the first test."""
        argv = [self.pairs, self.suites[suite], str(tests), shape, str(jobs), files]
        return Contender(name, lambda: measure.reported(
            argv, self.scratch, lambda said: said["open_seconds"] + said["run_seconds"]), rounds)

    # What is timed must be what the table says: looked at once, before any timing.

    def check_gordian(self, suite, options):
        """One suite of tests: all pass, driven by the agent, isolated as asked."""
        done = subprocess.run(
            [self.gordian, "run", "--filter", "Suite000.*", "--no-db", "--json", "-",
             *[word for word in options if word != "--no-db"], self.suites[suite]],
            cwd=self.scratch, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"gordian failed on {suite}: {done.stderr.strip()}")
        facts = json.loads(done.stdout)
        header = facts["header"]
        asked = options[options.index("--isolate") + 1]
        if facts["counts"]["pass"] != generate.PER_SUITE or header["isolation_used"] != asked:
            raise Failed(f"gordian did not run {suite} as asked: {facts['counts']}, {header}")
        if header["control"] != "hooks":
            raise Failed(f"{suite} was not driven by the agent")

    def check_filter(self, suite, text):
        """The filter selects as many tests as it names: an empty selection would pass too."""
        done = subprocess.run([self.suites[suite], f"--gtest_filter={text}"], cwd=self.scratch,
                              capture_output=True, text=True, check=True)
        count = len(text.split(":"))
        if f"[  PASSED  ] {count} test{'s' if count > 1 else ''}." not in done.stdout:
            raise Failed(f"--gtest_filter={text} does not run {count} tests of {suite}")


def some_pairs(tests, count):
    """Filters for `count` different ordered pairs: always the same ones."""
    names = generate.test_names(tests)
    pairs = [f"{a}:{b}" for a in names for b in names if a != b]
    return random.Random(1).sample(pairs, min(count, len(pairs)))
