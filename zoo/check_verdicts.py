#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Checks verdicts.json against the zoo's binaries with nothing but GoogleTest's own flags.

A slow reference that shares no code with Gordian: every run is a fresh process in a fresh
directory. Orders against the source order come from --gtest_shuffle: seeds are tried until the
framework happens to produce the wanted order; "twice in one process" comes from --gtest_repeat=2.

  check_verdicts.py BUILD/zoo            default order, each test alone, all witnesses and cleaners
  check_verdicts.py BUILD/zoo --pairs    also every ordered pair: exactly the listed ones must differ

Exits 1 on any mismatch, 2 when something could not be checked at all.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUN_LINE = re.compile(r"\[ RUN      \] (\S+)$", re.M)
MAX_SEED = 120


class Unreachable(Exception):
    """The framework's shuffle never produced the wanted order."""


def framework_can(order):
    """GoogleTest runs suites called *DeathTest before all others, shuffled or not."""
    late = [not test.split(".")[0].endswith("DeathTest") for test in order]
    return late == sorted(late)


def is_stopped_for_tracer(pid):
    """It asked to be traced by us. Its first signal looks like its end, and it stays there for ever."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "t"
    except OSError:
        return False


class Runner:
    """Runs one binary; remembers every order it has seen, so that no order is run twice."""

    def __init__(self, binary, suite, timeout):
        self.binary, self.suite, self.timeout = binary, suite, timeout
        self.seen = {}  # (frozenset of tests) -> {order: outcome of every test}
        self.seeds = {}  # (frozenset of tests) -> next seed to try
        self.runs = 0
        self.status = None  # of the latest run; None when it was ended by us or never seen

    def run(self, tests=None, flags=()):
        """One process. Returns [(test, outcome)] in the order in which the tests were run."""
        self.runs += 1
        root = Path(tempfile.mkdtemp(prefix="zoo_check_"))
        try:
            for name in ("cwd", "tmp"):
                (root / name).mkdir()
            command = [str(self.binary), f"--gtest_output=xml:{root}/result.xml", *flags]
            if tests is not None:
                command.append("--gtest_filter=" + ":".join(tests))
            self.status, timed_out = self._start(command, root)
            return self._outcomes(root, timed_out)
        finally:
            shutil.rmtree(root, ignore_errors=True)

    def _start(self, command, root):
        if self.suite.get("run") == "shim":
            command = [sys.executable, __file__, "--shim", str(root / "status"), *command]
        env = {k: v for k, v in os.environ.items() if not k.startswith(("GTEST_", "GORDIAN_ZOO"))}
        env["TMPDIR"] = str(root / "tmp")
        env.pop("LC_ALL", None)
        with open(root / "output", "wb") as output:
            process = subprocess.Popen(command, cwd=root / "cwd", env=env, stdout=output,
                                       stderr=output, stdin=subprocess.DEVNULL,
                                       start_new_session=True)
        timed_out = False
        try:
            process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
        stopped = is_stopped_for_tracer(process.pid)
        timed_out = timed_out or stopped
        if self.suite.get("run") == "shim":
            self._await_orphan(root)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # whatever it left behind in its session
        except ProcessLookupError:
            pass
        process.wait()
        if stopped:
            os.waitpid(process.pid, 0)
        if self.suite.get("run") == "shim":
            status = root / "status"
            return (int(status.read_text()) if status.exists() else None), False
        return process.returncode, timed_out

    def _await_orphan(self, root):
        """The test may have killed the shim: then only the result file tells that it has ended."""
        deadline = time.monotonic() + 0.5
        while time.monotonic() < deadline and not (root / "result.xml").exists():
            time.sleep(0.02)
        time.sleep(0.05)

    def _outcomes(self, root, timed_out):
        text = (root / "output").read_bytes().decode("utf-8", "replace")
        known = set(self.suite["tests"])
        started = [name for name in RUN_LINE.findall(text) if name in known]
        results = read_xml(root / "result.xml")
        if results is not None and not timed_out:
            unseen = [t for t in self.suite["tests"] if t in results and t not in started]
            order = list(dict.fromkeys(started)) + unseen
            return [(test, results[test]) for test in order if test in results]
        # The process ended early: the last test to start is the one that ended it.
        if not started:
            return []
        word = "timeout" if timed_out else "exit" if (self.status or -1) > 0 else "crash"
        if self.status == 0 and not timed_out:
            word = "exit"
        finished = [(test, finished_word(text, test)) for test in started[:-1]]
        return finished + [(started[-1], word)]

    def alone(self, test):
        return dict(self.order([test])).get(test, "not_run")

    def twice(self, test):
        return dict(self.run([test], ["--gtest_repeat=2"])).get(test, "not_run")

    def order(self, order):
        """The outcomes of these distinct tests run in exactly this order."""
        key, order = frozenset(order), tuple(order)
        seen = self.seen.setdefault(key, {})
        seed = self.seeds.get(key, 0)
        while order not in seen and seed <= MAX_SEED:
            flags = [] if seed == 0 else ["--gtest_shuffle", f"--gtest_random_seed={seed}"]
            outcomes = self.run(sorted(key), flags)
            ran = [test for test, _ in outcomes]
            rest = [test for test in order if test not in ran]
            if len(rest) <= 1:  # with one test missing, the order is known all the same
                full = tuple(ran + rest)
                seen[full] = outcomes + [(test, "not_run") for test in rest]
            elif tuple(ran) == order[:len(ran)]:
                seen[order] = outcomes + [(test, "not_run") for test in rest]
            seed += 1
        self.seeds[key] = seed
        if order not in seen:
            raise Unreachable(" ".join(order))
        return seen[order]


def read_xml(path):
    """{test: outcome} of the tests that ran, or None when the binary wrote no result."""
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return None
    results = {}
    for case in root.iter("testcase"):
        if case.get("status") != "run":
            continue
        word = "skip" if case.get("result") == "skipped" else "pass"
        name = f"{case.get('classname')}.{case.get('name')}"
        results[name] = "fail" if case.find("failure") is not None else word
    return results


def finished_word(text, test):
    for mark, word in (("OK", "pass"), ("FAILED ", "fail"), ("SKIPPED", "skip")):
        if re.search(r"\[ +%s +\] %s \(\d+ ms\)" % (mark.strip(), re.escape(test)), text):
            return word
    return "not_run"


class Check:
    """All checks of one suite; collects sentences about what does not hold."""

    def __init__(self, suite, zoo, timeout, pairs):
        self.suite, self.pairs = suite, pairs
        self.runner = Runner(zoo / suite["folder"] / suite["name"], suite, timeout)
        self.wrong, self.unchecked = [], []
        self.varying = set(suite.get("nondeterministic", []))

    def expect(self, what, wanted, got):
        if wanted != got:
            self.wrong.append(f"{what}: verdict says {wanted}, saw {got}")

    def all(self):
        if not self.runner.binary.exists():
            self.unchecked.append("no such binary")
            return self
        self.check_data()
        self.check_default()
        for test in self.suite["tests"]:
            if test not in self.varying:
                wanted = self.alone_word(test)
                self.expect(f"{test} alone", wanted, self.runner.alone(test))
        for dependence in self.suite.get("dependences", []):
            self.check_dependence(dependence)
        if self.varying:
            self.check_varying()
        elif self.pairs and self.suite["class"] != "hostile":
            self.check_pairs()
        return self

    def alone_word(self, test):
        return self.suite["alone"].get(test, self.suite["default"][test])

    def check_data(self):
        """The file agrees with itself and with the source."""
        source = (HERE / self.suite["folder"] / f"{self.suite['name']}.cc").read_text()
        self.expect("tests and default", self.suite["tests"], list(self.suite["default"]))
        for item in self.suite.get("dependences", []):
            for key in ("write_line", "read_line"):
                marker = item["carrier"][key]
                if marker is None:
                    continue
                lines = [line for line in source.splitlines() if line.endswith(marker)]
                self.expect(f"lines with {marker!r}", 1, len(lines))
            self.expect("expected", self.suite["default"][item["test"]], item["expected"])
            self.expect("alone", self.alone_word(item["test"]), item["alone"])

    def check_default(self):
        outcomes = dict(self.runner.run())
        for test in self.suite["tests"]:
            if test not in self.varying:
                wanted = self.suite["default"][test]
                self.expect(f"{test} in the default order", wanted, outcomes.get(test, "not_run"))
        if self.suite.get("binary_fails"):
            self.expect("binary fails", True, self.runner.status not in (0, None))
        ran = [test for test in outcomes]
        self.expect("default order", self.suite["tests"][:len(ran)], ran)

    def check_dependence(self, item):
        test, by = item["test"], item["by"]
        if item["role"] == "self_dependent":
            self.expect(f"{test} twice", item["observed"], self.runner.twice(test))
            return
        orders = itertools.permutations(by) if item.get("any_order") else [by]
        for before in orders:
            self.expect_last([*before, test], item["observed"])
        for single in item.get("polluters", item.get("state_setters", [])):
            self.expect_last([single, test], item["observed"])
            self.check_between(item, single)

    def check_between(self, item, single):
        """Exactly the listed cleaners, or spoilers, make the test behave as it does alone."""
        for middle in self.suite["tests"]:
            if middle in (single, item["test"]):
                continue
            cleans = middle in item.get("cleaners", item.get("spoilers", []))
            wanted = item["alone"] if cleans else item["observed"]
            self.expect_last([single, middle, item["test"]], wanted)

    def expect_last(self, order, wanted):
        try:
            outcomes = self.runner.order(order)
            self.expect(" -> ".join(order), wanted, outcomes[-1][1])
        except Unreachable as order_text:
            self.unchecked.append(f"shuffle never gave: {order_text}")

    def check_varying(self):
        seen = {test: set() for test in self.varying}
        for _ in range(60):
            for test, word in self.runner.run():
                if test in seen:
                    seen[test].add(word)
        for test, words in seen.items():
            self.expect(f"{test} over 60 runs", ["fail", "pass"], sorted(words))

    def check_pairs(self):
        listed = set()
        for item in self.suite.get("dependences", []):
            if item["k"] == 2:
                before = item.get("polluters", item.get("state_setters", item["by"]))
                listed |= {(single, item["test"]) for single in before}
        found = set()
        for first, second in itertools.product(self.suite["tests"], repeat=2):
            if not framework_can([first, second]):
                continue
            try:
                word = (self.runner.twice(second) if first == second
                        else self.runner.order([first, second])[-1][1])
            except Unreachable as order_text:
                self.unchecked.append(f"shuffle never gave: {order_text}")
                continue
            # After a test that ends the process, the second is not run: unknown, no dependence.
            if word not in ("not_run", self.alone_word(second)):
                found.add((first, second))
        self.expect("dependent pairs", sorted(listed), sorted(found))


def shim(status_file, command):
    """Stands between us and a binary that attacks its parent or its process group."""
    code = subprocess.call(command)
    Path(status_file).write_text(str(code))
    return 0


def main():
    if len(sys.argv) > 3 and sys.argv[1] == "--shim":
        return shim(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zoo", type=Path, help="the directory that holds guilty/, clean/, ...")
    parser.add_argument("--pairs", action="store_true", help="check every ordered pair as well")
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds for each process")
    parser.add_argument("--only", default="", help="only suites whose folder/name holds this text")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()

    suites = [suite for suite in json.loads((HERE / "verdicts.json").read_text())["suites"]
              if "framework" not in suite]
    names = {f"{suite['folder']}/{suite['name']}" for suite in suites}
    suites = [s for s in suites if "framework" not in s]  # others have other flags
    sources = {f"{path.parent.name}/{path.stem}" for path in HERE.glob("*/*.cc")
               if path.parent.name in ("guilty", "clean", "nod", "hostile")}
    for name in sorted(names ^ sources):
        print(f"{name}: has {'no source' if name in names else 'no verdict'}")
    suites = [s for s in suites if options.only in f"{s['folder']}/{s['name']}"]

    def check(suite):
        return Check(suite, options.zoo.resolve(), options.timeout, options.pairs).all()

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        checks = list(pool.map(check, suites))
    for item in checks:
        for sentence in item.wrong + [f"not checked: {text}" for text in item.unchecked]:
            print(f"{item.suite['folder']}/{item.suite['name']}: {sentence}")
    wrong = sum(len(item.wrong) for item in checks) + len(names ^ sources)
    unchecked = sum(len(item.unchecked) for item in checks)
    print(f"{len(checks)} suites, {sum(item.runner.runs for item in checks)} runs: "
          f"{wrong} mismatches, {unchecked} not checked")
    return 1 if wrong else 2 if unchecked else 0


if __name__ == "__main__":
    sys.exit(main())
