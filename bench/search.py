# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Runs `gordian detect` or the shuffle loop on a planted suite: what was found, and when.

A dependence that was not planted, or has another role or cause than it should, ends the benchmark:
a fast wrong verdict is worth nothing.
"""
import json
import subprocess
import time
from dataclasses import dataclass, field
from typing import Dict

import measure
from measure import Failed


@dataclass
class Hunt:
    seconds: float = 0                 # on the wall, from start to exit
    found: Dict[str, float] = field(default_factory=dict)  # test -> seconds since the start
    orders: int = 0
    search: dict = field(default_factory=dict)             # of gordian's JSON

    def last(self):
        return max(self.found.values(), default=0.0)


def check_verdict(suite, facts):
    truth = suite.truth()
    for found in facts["dependences"]:
        said = (found["role"], *found["by"])
        if truth.get(found["test"]) != said:
            raise Failed(f"{suite.name}: a wrong verdict: {found['test']}: {said}, planted was "
                         f"{truth.get(found['test'])}")
    if facts["nondeterministic"] or facts["left_out"]:
        raise Failed(f"{suite.name}: tests were called non-deterministic, or left out")


def detect(lab, suite, options, arguments=()):
    """The whole command; the time of a find is that of its line on the terminal. `arguments` are
    for the binary."""
    report = lab.scratch / "detect.json"
    argv = [lab.gordian, "detect", "--no-db", "--seed", "1", "--fail-on", "none", "--json", report,
            *options, suite.binary, "--", *arguments]
    hunt = Hunt()
    begin = time.perf_counter()
    with subprocess.Popen([str(word) for word in argv], cwd=lab.scratch, text=True, bufsize=1,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            words = line.split()
            if words[:1] == ["FOUND"]:
                hunt.found.setdefault(words[2], time.perf_counter() - begin)
    hunt.seconds = time.perf_counter() - begin
    if process.returncode != 0:
        raise Failed(f"gordian detect on {suite.name} ended with {process.returncode}")
    facts = json.loads(report.read_text())
    check_verdict(suite, facts)
    if {found["test"] for found in facts["dependences"]} != set(hunt.found):
        raise Failed(f"{suite.name}: the report has other finds than the terminal")
    hunt.search, hunt.orders = facts["search"], facts["search"]["orders"]
    return hunt


def shuffle(lab, suite, how, jobs, seconds):
    """GoogleTest's shuffle for so long, or until all that is planted has failed once."""
    output = lab.scratch / "shuffle.json"
    measure.timed([lab.shuffle_loop, how, jobs, f"{seconds:.3f}", len(suite.planted),
                   suite.binary], lab.scratch, output)
    said = json.loads(output.read_text())
    hunt = Hunt(said["seconds"], {f["test"]: f["seconds"] for f in said["found"]}, said["orders"])
    if not set(hunt.found) <= set(suite.truth()):
        raise Failed(f"{suite.name}: a test failed in which nothing is planted")
    return hunt
