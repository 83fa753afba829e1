# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Suites that we did not write: GoogleTest's and GoogleMock's own tests, from Debian's package
googletest. Only such whose tests all pass alone: times of failing runs would not be comparable.
"""
from pathlib import Path

from suites import generate

SOURCES = Path("/usr/src/googletest")
FLAGS = ["-O0", "-g1", "-w", "-pthread", f"-I{SOURCES}/googletest", f"-I{SOURCES}/googlemock"]
LIBRARIES = ["gmock", "gtest", "gtest_main"]
TESTS = {
    "gtest_unittest": "googletest/test/gtest_unittest.cc",
    "gtest-printers": "googletest/test/googletest-printers-test.cc",
    "gtest-death": "googletest/test/googletest-death-test-test.cc",
    "gmock-actions": "googlemock/test/gmock-actions_test.cc",
    "gmock-spec-builders": "googlemock/test/gmock-spec-builders_test.cc",
    "gmock-matchers": "googlemock/test/gmock-matchers-containers_test.cc",
}


def installed():
    return all((SOURCES / path).exists() for path in TESTS.values())


def compile_one(generator, name):
    source, output = SOURCES / TESTS[name], generator.dir / f"real-{name}.o"
    return generate.make(output, [*generator.compile_command, *FLAGS, source, "-o", output],
                         [source])


def link_one(generator, name, compiled):
    binary = generator.dir / f"real-{name}"
    return generate.make(binary, [generate.compiler(), compiled,
                                  *(f"-l{library}" for library in LIBRARIES), "-pthread", "-o",
                                  binary], [compiled])
