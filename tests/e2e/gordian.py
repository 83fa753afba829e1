# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What the end-to-end tests share: the program under test, the zoo, and a scratch directory.

The build tells where things are through the environment (see tests/CMakeLists.txt):
GORDIAN_BIN the program, GORDIAN_ZOO the zoo's binaries, GORDIAN_SOURCE this repository,
GORDIAN_BUILD the build directory.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path


def place(variable):
    """A path from the environment; without it nothing can be tested, and that is said."""
    if variable not in os.environ:
        sys.exit(f"{variable} is not set; run these tests with ctest")
    return Path(os.environ[variable]).resolve()


BIN, ZOO, SOURCE, BUILD = map(place, ("GORDIAN_BIN", "GORDIAN_ZOO", "GORDIAN_SOURCE",
                                      "GORDIAN_BUILD"))
# More of the same: in `make test-all`. Without it a test of many examples takes some of them.
THOROUGH = "GORDIAN_THOROUGH" in os.environ
PATIENCE = 120  # seconds until a hanging gordian fails its test; never a measure of anything


def clean_environment(**changes):
    """Ours, without what would change the behaviour of gordian or of the framework."""
    ours = ("GTEST_", "GORDIAN_", "NO_COLOR", "CLICOLOR", "COLUMNS", "LC_ALL")
    env = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    env.update({"LANG": "C.UTF-8", "TERM": "xterm"})
    env.update(changes)
    return env


class Ran:
    """A finished gordian: `code`, `out`, `err`, and what it wrote as JSON."""

    def __init__(self, words, process):
        self.words = [str(word) for word in words]
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr

    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return (f"gordian {' '.join(self.words)}\nexit code {self.code}\n"
                f"stdout: {self.out[-3000:]}\nstderr: {self.err[-3000:]}")


def gordian(*words, cwd, env=None, patience=PATIENCE):
    process = subprocess.run([BIN, *map(str, words)], cwd=cwd, env=env or clean_environment(),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             errors="surrogateescape", timeout=patience, check=False)
    return Ran(words, process)


def zoo_suites(*classes):
    """What zoo/verdicts.json says of its binaries, of these classes or of all. Frameworks that are
    not on this machine have none."""
    def is_here(suite):
        framework = suite.get("framework", "gtest")
        return framework == "gtest" or (framework != "process" and
                                        (ZOO / suite["folder"] / suite["name"]).exists())
    suites = json.loads((SOURCE / "zoo" / "verdicts.json").read_text())["suites"]
    return [s for s in suites if is_here(s) and (not classes or s["class"] in classes)]


def every(nth, items):
    """All of them when there is time, otherwise every `nth`, beginning with the first."""
    return list(items) if THOROUGH else list(items)[::nth]


def results(run):
    """The results of a run's first order, one dictionary for each position."""
    return run["orders"][0]["results"]


def order_of(run):
    return run["orders"][0]["order"]


def outcomes(run):
    """{test: outcome} of the first order."""
    return {result["test"]: result["outcome"] for result in results(run)}


def failure_of(result):
    """What identifies a failure to its reader."""
    return {key: result[key] for key in ("file", "line", "message")}


class Case(unittest.TestCase):
    """A test with a directory of its own, `self.dir`, in which gordian is started."""

    longMessage = True
    maxDiff = 4000

    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="gordian_e2e_")).resolve()
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def gordian(self, *words, **how):
        return gordian(*words, cwd=how.pop("cwd", self.dir), **how)

    def run_with(self, binary, *arguments, options=()):
        """The facts of a run of the program with arguments of its own."""
        return self.gordian("run", binary, *options, "--no-db", "--json", "-", "--",
                            *arguments).json()

    def kept_snapshots(self, name):
        """The tests of a suite of the zoo after which the process went back, each run six times:
        a snapshot for fewer branches is not worth taking."""
        binary = self.zoo(name)
        tests = order_of(self.run_json("run", binary, "--no-db"))
        run = self.run_json("run", binary, "--order", self.order_file(*(tests * 6)), "--isolate",
                            "snapshot", "-j1", "--no-db")
        fell_back = {r["test"] for r in results(run) if r.get("fell_back")}
        return [test for test in tests if test not in fell_back], tests

    def order_file(self, *names):
        path = self.dir / "order"
        path.write_text("\n".join(names) + "\n")
        return path

    def run_json(self, *words, code=None, **how):
        """`gordian run ... --json -` or `replay`; the facts. Checks the exit code if given."""
        ran = self.gordian(*words, "--json", "-", **how)
        if code is not None:
            self.assertEqual(ran.code, code, ran)
        self.assertTrue(ran.out, ran)
        return ran.json()

    def zoo(self, name):
        """The path of a zoo binary, as `guilty/global_int`."""
        binary = ZOO / name
        self.assertTrue(binary.exists(), f"{binary} is not built (target zoo)")
        return binary

    def zoo_copy(self, name, to=None):
        """A copy in the scratch directory: whatever comes of it can be recognised by its path."""
        target = (to or self.dir) / Path(name).name
        shutil.copy2(self.zoo(name), target)
        return target


def main():
    unittest.main(verbosity=2)
