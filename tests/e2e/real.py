# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Suites that we did not write: GoogleTest's and GoogleMock's own tests, from the distribution.

They are compiled once into BUILD/real, from the sources of the package googletest.
"""
import concurrent.futures
import fcntl
import os
import subprocess
from pathlib import Path

import gordian

SOURCES = Path("/usr/src/googletest")
MISSING = "the sources of GoogleTest are not installed (googletest)"
TESTS = {
    "gtest_unittest": "googletest/test/gtest_unittest.cc",
    "death_test": "googletest/test/googletest-death-test-test.cc",
    "param_test": ["googletest/test/googletest-param-test-test.cc",
                   "googletest/test/googletest-param-test2-test.cc"],
    "actions_test": "googlemock/test/gmock-actions_test.cc",
    "spec_builders_test": "googlemock/test/gmock-spec-builders_test.cc",
}
# To compile them all takes a minute.
SOME = list(TESTS) if gordian.THOROUGH else ["gtest_unittest", "param_test"]
FOLDER = gordian.BUILD / "real"


def sources_of(name):
    files = TESTS[name]
    return [SOURCES / file for file in ([files] if isinstance(files, str) else files)]


def build(name):
    """Compiles one suite unless it is newer than its sources; returns the binary."""
    binary = FOLDER / name
    newest = max(path.stat().st_mtime for path in sources_of(name))
    if binary.exists() and binary.stat().st_mtime > newest:
        return binary
    fresh = binary.with_suffix(".new")
    subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-O0", "-g1", "-w", "-pthread",
                    f"-I{SOURCES}/googletest", f"-I{SOURCES}/googlemock",
                    *map(str, sources_of(name)), "-o", str(fresh), "-lgmock", "-lgtest",
                    "-lgtest_main"], check=True)
    fresh.rename(binary)
    return binary


def build_all(names):
    """{name: binary}. Two test programs may want the same ones at the same time."""
    FOLDER.mkdir(exist_ok=True)
    with open(FOLDER / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return dict(zip(names, pool.map(build, names)))
