# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""How many of the dependences of suites that we did not write get an explanation, and which."""
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from measure import Failed
from suites import debian_source, generate, real

FLAGS = ["-std=c++17", "-O0", "-g", "-w", "-pthread", f"-I{real.SOURCES}/googletest",
         f"-I{real.SOURCES}/googlemock"]
TESTS = {
    "gmock-actions_test": ["googlemock/test/gmock-actions_test.cc"],
    "gmock-spec-builders_test": ["googlemock/test/gmock-spec-builders_test.cc"],
    "googletest-param-test-test": ["googletest/test/googletest-param-test-test.cc",
                                   "googletest/test/googletest-param-test2-test.cc"],
    "gtest_unittest": ["googletest/test/gtest_unittest.cc"],
}
GLOG = ["-DCMAKE_BUILD_TYPE=Debug", "-DBUILD_SHARED_LIBS=OFF", "-DWITH_GFLAGS=OFF",
        "-DWITH_UNWIND=OFF"]


@dataclass
class Suite:
    name: str
    package: str
    binary: Path


def compile_one(generator, name):
    sources = [real.SOURCES / path for path in TESTS[name]]
    binary = generator.dir / f"explain-{name}"
    return generate.make(binary, [generate.compiler(), *FLAGS, *sources, "-o", binary,
                                  *(f"-l{library}" for library in real.LIBRARIES)], sources)


def build_glog(generator):
    """Another project, where Debian's sources can be had. (Suite or None, why not)"""
    sources, why = debian_source.fetch(generator.dir / "debian", "google-glog")
    if sources is None:
        return None, f"google-glog cannot be had: {why}"
    build = generator.dir / "glog"
    for argv in (["cmake", "-S", sources, "-B", build, *GLOG],
                 ["cmake", "--build", build, "-j", str(os.cpu_count()), "--target",
                  "logging_unittest"]):
        done = subprocess.run([str(word) for word in argv], capture_output=True, text=True)
        if done.returncode != 0:
            return None, f"google-glog does not build here: {' '.join(map(str, argv[:2]))} failed"
    return Suite("logging_unittest", "google-glog", build / "logging_unittest"), ""


def build(generator, quick):
    if not real.installed():
        raise Failed("the sources of GoogleTest are not installed: tools/setup bench")
    names = list(TESTS)[:1] if quick else list(TESTS)
    suites = [Suite(name, "googletest", compile_one(generator, name)) for name in names]
    glog, why = (None, "left out of the smoke test") if quick else build_glog(generator)
    if why:
        generator.progress(why)
    return {"suites": suites + ([glog] if glog else []), "left_out": [why] if why else []}


def gordian(lab, words):
    """The JSON that it prints. Found dependences and missing explanations are no failure."""
    done = subprocess.run([lab.gordian, *map(str, words), "--json", "-"], cwd=lab.scratch,
                          capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        raise Failed(f"gordian {words[0]} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def explanation(found):
    carriers = found["carriers"]
    return {"test": found["test"], "role": found["role"], "proved": found["proved"],
            "carriers": [carrier["name"] for carrier in carriers],
            "lines": sum(bool(carrier[site]) for carrier in carriers[:1]
                         for site in ("write", "read")),
            "why_not": found["why_not"], "seconds": found["seconds"]}


def measure_one(lab, suite):
    lab.progress(f"suite {suite.name}")
    database = lab.scratch / "real.db"
    database.unlink(missing_ok=True)
    searched = gordian(lab, ["detect", suite.binary, "--db", database, "--seed", "1"])
    explained = []
    if searched["dependences"]:
        explained = gordian(lab, ["explain", "--db", database])["explanations"]
    if len(explained) != len(searched["dependences"]):
        raise Failed(f"{suite.name}: not every dependence has an entry")
    return {"name": suite.name, "package": suite.package, "tests": searched["suite"]["tests"],
            "dependences": [explanation(found) for found in explained]}


def run(lab, built):
    cache = lab.scratch / "cache-real"
    shutil.rmtree(cache, ignore_errors=True)
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(cache)
    try:
        return {"suites": [measure_one(lab, suite) for suite in built["suites"]],
                "left_out": built["left_out"]}
    finally:
        os.environ.pop("XDG_CACHE_HOME")
        if before is not None:
            os.environ["XDG_CACHE_HOME"] = before
