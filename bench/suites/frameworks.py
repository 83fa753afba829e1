# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The same suite of trivial tests in every framework that Gordian drives.

Tests call unit_of_work() of prelude.cc and check what it returns, 20 to a suite where the framework
has suites. A framework whose headers are not on this machine is left out.
"""
import subprocess
from dataclasses import dataclass
from typing import Callable, Sequence

from suites import generate

PRELUDE = {"WORK_ROUNDS": 0, "START_ROUNDS": 0, "HEAP_MB": 0, "DIRTY_PAGES": 0, "WRITES_FILE": 0}
DECLARATION = "unsigned unit_of_work(unsigned test);\n"


def suite_name(index):
    return f"Suite{index // generate.PER_SUITE:03}"


def in_suites(count, opening, closing, test):
    """Source text with `test(index)` for each test, between the lines that open and close a suite."""
    lines = []
    for index in range(count):
        if index % generate.PER_SUITE == 0:
            lines.append(opening(suite_name(index)))
        lines.append(test(index))
        if (index + 1) % generate.PER_SUITE == 0 or index + 1 == count:
            lines.append(closing)
    return "\n".join(lines) + "\n"


def check(macro, index):
    return f"{macro}(unit_of_work({index}u) == {index}u);"


def gtest(count):
    return "#include <gtest/gtest.h>\n" + DECLARATION + in_suites(
        count, lambda _: "", "", lambda i: f"TEST({suite_name(i)}, Test{i:04}) "
        f"{{ EXPECT_TRUE(unit_of_work({i}u) == {i}u); }}")


def catch2(count):
    return "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n" + DECLARATION + in_suites(
        count, lambda _: "", "", lambda i: f'TEST_CASE("test {i:04}") {{ {check("CHECK", i)} }}')


def doctest(count):
    return ("#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n" + DECLARATION +
            in_suites(count, lambda suite: f'TEST_SUITE_BEGIN("{suite}");', "TEST_SUITE_END();",
                      lambda i: f'TEST_CASE("test {i:04}") {{ {check("CHECK", i)} }}'))


def boost(count):
    return ("#define BOOST_TEST_MODULE trivial\n#define BOOST_TEST_DYN_LINK\n"
            "#include <boost/test/unit_test.hpp>\n" + DECLARATION +
            in_suites(count, lambda suite: f"BOOST_AUTO_TEST_SUITE({suite})",
                      "BOOST_AUTO_TEST_SUITE_END()",
                      lambda i: f"BOOST_AUTO_TEST_CASE(test{i:04}) {{ {check('BOOST_CHECK', i)} }}"))


def cpputest(count):
    return ("#include <CppUTest/CommandLineTestRunner.h>\n#include <CppUTest/TestHarness.h>\n" +
            DECLARATION +
            in_suites(count, lambda suite: f"TEST_GROUP({suite}) {{}};", "",
                      lambda i: f"TEST({suite_name(i)}, Test{i:04}) {{ {check('CHECK', i)} }}") +
            "int main(int argc, char** argv) "
            "{ return CommandLineTestRunner::RunAllTests(argc, argv); }\n")


@dataclass
class Framework:
    name: str
    source: Callable[[int], str]
    header: str
    libraries: Sequence[str] = ()


ALL = {
    "gtest": Framework("GoogleTest", gtest, "gtest/gtest.h", ["-lgtest_main", "-lgtest"]),
    "catch2": Framework("Catch2", catch2, "catch2/catch.hpp"),
    "doctest": Framework("doctest", doctest, "doctest/doctest.h"),
    "boost": Framework("Boost.Test", boost, "boost/test/unit_test.hpp",
                       ["-lboost_unit_test_framework"]),
    "cpputest": Framework("CppUTest", cpputest, "CppUTest/TestHarness.h", ["-lCppUTest"]),
}


def is_here(framework):
    probe = subprocess.run([generate.compiler(), "-E", "-x", "c++", "-", "-o", "/dev/null"],
                           input=f"#include <{framework.header}>\n", text=True, capture_output=True,
                           check=False)
    return probe.returncode == 0


def build(directory, count, progress):
    """{word of the framework: binary} for those that are here."""
    directory.mkdir(parents=True, exist_ok=True)
    defines = [f"-D{name}={value}" for name, value in PRELUDE.items()]
    prelude_source = generate.HERE / "prelude.cc"
    prelude = generate.make(
        directory / "framework-prelude.o",
        [generate.compiler(), *generate.FLAGS, *defines, "-c", prelude_source, "-o",
         directory / "framework-prelude.o"], [prelude_source])
    built = {}
    for word, framework in ALL.items():
        if not is_here(framework):
            progress(f"{framework.name} is not on this machine: left out")
            continue
        progress(f"building {count} tests with {framework.name}")
        source = generate.write_if_changed(directory / f"framework-{word}.cc",
                                           framework.source(count))
        binary = directory / f"framework-{word}-{count}"
        built[word] = generate.make(
            binary, [generate.compiler(), "-std=c++17", "-O1", source, prelude, "-o", binary,
                     *framework.libraries, "-pthread"], [source, prelude])
    return built
