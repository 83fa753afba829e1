# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Every way to run the tests of a suite apart from each other, on suites of different kinds."""
import concurrent.futures
import json
import os
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import List

import ctest_tree
import measure
from measure import Contender, Failed
from suites import generate, real

SHARED = ["--private-fs", "off"]
GORDIAN = {
    "snapshot": ["--isolate", "snapshot", "-j1"],
    "snapshot-shared": ["--isolate", "snapshot", "-j1", *SHARED],
    "snapshot-2": ["--isolate", "snapshot", "-j2"],
    "fork": ["--isolate", "fork", "-j1"],
    "process": ["--isolate", "process", "-j1"],
}
CTEST = {"ctest-gtest": "gtest", "ctest-gordian": "gordian"}
SLOW = ("process", "loop", *CTEST)
SAMPLE = 40  # tests: where each start takes long, slow ways run only these


@dataclass
class Suite:
    name: str
    what: str
    binary: Path
    objects: List[Path]
    libraries: List[str]
    tests: List[str]
    sampled: bool = False

    def few(self):
        return self.tests[:SAMPLE] if self.sampled else self.tests


def test_names(binary):
    """As GoogleTest lists them."""
    listed = subprocess.run([binary, "--gtest_list_tests"], capture_output=True, text=True,
                            check=True).stdout
    names, suite = [], ""
    for line in listed.splitlines():
        word = line.split("#")[0].strip()
        if line.startswith("  "):
            names.append((suite, word))
        elif word.endswith("."):
            suite = word
    return [suite + test for suite, test in names
            if not test.startswith("DISABLED_") and "DISABLED_" not in suite]


def generated(quick):
    size = 500 if quick else 2000
    return {f"trivial-{size}": f"{size:,} trivial tests",
            "ms-500": "500 tests of 1 ms",
            f"heap200-{size}": "trivial tests, heap of 200 MB before the first"}


def build(generator, quick):
    """The suites, compiled."""
    suites = []
    for name, binary in generator.build(list(generated(quick))).items():
        suites.append(Suite(name, generated(quick)[name], binary, generator.objects(name),
                            ["gtest", "gtest_main"], test_names(binary),
                            sampled=name.startswith("heap")))
    names = list(real.TESTS)[1:2] if quick else list(real.TESTS)
    if not real.installed():
        raise Failed("the sources of GoogleTest are not installed: tools/setup bench")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = dict(zip(names, pool.map(lambda n: real.compile_one(generator, n), names)))
    for name, compiled in objects.items():
        binary = real.link_one(generator, name, compiled)
        suites.append(Suite(f"real-{name}", f"`{name}`", binary, [compiled], real.LIBRARIES,
                            test_names(binary)))
    return suites


def check_run(lab, suite, options):
    """What is timed must be what the table says. Returns why tests fell back, counted."""
    done = subprocess.run([lab.gordian, "run", "--no-db", "--json", "-", *options, suite.binary],
                          cwd=lab.scratch, capture_output=True, text=True)
    facts = json.loads(done.stdout) if done.stdout else {"counts": {}, "header": {}}
    asked = options[options.index("--isolate") + 1]
    if (done.returncode != 0 or facts["counts"]["pass"] != len(suite.tests)
            or facts["header"]["isolation_used"] != asked
            or facts["header"]["control"] != "hooks"):
        raise Failed(f"gordian did not run {suite.name} as asked: {facts['counts']}, "
                     f"{facts['header']}, {done.stderr.strip()}")
    return dict(Counter(result["fell_back"] for order in facts["orders"]
                        for result in order["results"] if result["fell_back"]))


def gordian(lab, name, suite, options, only=(), rounds=1000):
    words = ["--filter", ":".join(only)] if only else []
    argv = [lab.gordian, "run", "--no-db", *options, *words, suite.binary]
    return Contender(name, lambda: measure.timed(argv, lab.scratch), rounds)


def contenders(lab, suite, slow_rounds):
    few = suite.few()
    only = few if suite.sampled else ()
    lab.suites[suite.name] = suite.binary
    made = [lab.bare("bare", suite.name)]
    for way, options in GORDIAN.items():
        slow = way in SLOW
        made.append(gordian(lab, way, suite, options, only if slow else (),
                            slow_rounds if slow else 1000))
    made.append(lab.fresh_processes("loop", suite.name, few, 1, slow_rounds))
    for name, way in CTEST.items():
        made.append(ctest_tree.contender(lab, name, suite.name, way, suite.objects, len(few),
                                         suite.libraries, ":".join(only), slow_rounds))
    return made


def check_suite(lab, suite):
    for way in ("fork", *(() if suite.sampled else ("process",))):
        check_run(lab, suite, GORDIAN[way])
    return check_run(lab, suite, GORDIAN["snapshot"])


def measure_suite(lab, suite, fell_back, taking_part):
    lab.progress(f"suite {suite.name}: {len(suite.tests)} tests")
    samples = lab.race(taking_part, lab.pick(7, 1))
    ways = {}
    for way in ("bare", *GORDIAN, "loop", *CTEST):
        tests = len(suite.few() if way in SLOW else suite.tests)
        ways[way] = {"tests": tests, "seconds": samples.best(way), "rounds": samples.rounds(way),
                     "cpu_seconds": samples.best_cpu(way), "samples": samples.seconds(way)}
    return {"name": suite.name, "what": suite.what, "tests": len(suite.tests), "ways": ways,
            "fell_back": fell_back}


def prepare(lab, suites):
    """[what measure_suite() takes]. All tests pass in every isolation and ctest knows them, or the
    benchmark ends before anything is timed."""
    lab.progress("every suite once in every isolation, and its trees for ctest")
    return [(suite, check_suite(lab, suite), contenders(lab, suite, lab.pick(2, 1)))
            for suite in suites]


def run(lab, prepared):
    return [measure_suite(lab, suite, fell_back, taking_part)
            for suite, fell_back, taking_part in prepared]


def each_us(row, way):
    return 1e6 * row["ways"][way]["seconds"] / row["ways"][way]["tests"]
